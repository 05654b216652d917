// The configuration of the browser tests. They run the built app on a real portal, in the system's
// Chromium.

import { defineConfig } from "@playwright/test";
import { chromiumPath } from "./e2e/chromium.js";
import { address, portalCount } from "./e2e/portal.ts";

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.spec.ts",
  globalSetup: "./e2e/setup.ts",
  outputDir: "test-results",
  // Each worker has a portal and a database of its own. The tests of a worker share its portal, so
  // they see each other's changes.
  workers: portalCount,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["./e2e/summaryReporter.ts"]],
  use: {
    baseURL: address,
    viewport: { width: 1280, height: 800 },
    timezoneId: "Asia/Colombo",
    // Otherwise each click waits for the end of a transition.
    contextOptions: { reducedMotion: "reduce" },
    // Tests with traces take a third more time.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    launchOptions: {
      executablePath: chromiumPath,
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
