// Measures in the browser how much script a first visit loads. The build limits only the scripts
// that load before the page is shown. This test also counts the scripts that load later.

import { gzipSync } from "node:zlib";
import { MAX_FIRST_LOAD_BYTES } from "../build/firstLoad.ts";
import { expect, test } from "./fixtures.ts";

test("the first page loads no more script than the limit, including deferred scripts", async ({ page }) => {
  const scripts = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    scripts.set(
      response.url(),
      response.body().then((body) => gzipSync(body, { level: 9 }).length),
    );
  });
  // This script is loaded when the browser is idle, which may be after the network is.
  const deferred = page.waitForResponse(/\/assets\/startOffline-/);
  await page.goto("/", { waitUntil: "networkidle" });
  await deferred;
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const sizes = await Promise.all([...scripts.values()]);
  expect([...scripts.keys()].some((url) => url.includes("/assets/startOffline-"))).toBe(true);
  const sum = sizes.reduce((total, size) => total + size, 0);
  expect(sum).toBeGreaterThan(100_000);
  expect(sum, [...scripts.keys()].join("\n")).toBeLessThanOrEqual(MAX_FIRST_LOAD_BYTES);
  test.info().annotations.push({ type: "bytes", description: String(sum) });
});
