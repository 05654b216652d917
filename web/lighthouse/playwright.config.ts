// Runs Lighthouse over the built app, on a portal started as for the browser tests. Playwright only
// starts and stops it.

import { defineConfig } from "@playwright/test";
import { address } from "../e2e/portal.ts";

export default defineConfig({
  testDir: ".",
  testMatch: "measure.ts",
  globalSetup: "../e2e/setup.ts",
  outputDir: "../test-results",
  workers: 1,
  retries: 0,
  timeout: 30 * 60_000,
  reporter: [["list"]],
  use: { baseURL: address },
});
