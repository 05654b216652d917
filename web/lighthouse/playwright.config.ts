// Runs Lighthouse over the built app, on a portal that is started as for the browser tests.
// Playwright starts the portal, runs `measure.ts`, and stops the portal.

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
