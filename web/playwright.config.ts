// The browser tests: the built app on the real portal, in the system's Chromium. There are no
// retries.

import { defineConfig } from "@playwright/test";
import { address, chromium, portalCount } from "./e2e/portal.ts";

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.spec.ts",
  globalSetup: "./e2e/setup.ts",
  outputDir: "test-results",
  // Each worker has a portal and a database of its own. The tests of one worker share them, and see
  // each other's changes.
  workers: portalCount,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    baseURL: address,
    viewport: { width: 1280, height: 800 },
    timezoneId: "Asia/Colombo",
    // A trace takes a third more time.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    launchOptions: {
      executablePath: chromium,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
