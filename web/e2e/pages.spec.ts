// The server responds with 404 to addresses that are not in its list of pages; a test reports the pages of the
// app that the list lacks. A page begins at its top.

import { paths } from "../src/shared/paths.ts";
import { expect, test } from "./fixtures.ts";

test("the server knows every page of the app", async ({ request }) => {
  const addresses = Object.values(paths).filter((path) => typeof path === "string");
  const unknown: string[] = [];
  for (const address of [...addresses, paths.invoice("x"), paths.editTender("x")]) {
    const response = await request.get(address);
    if (!response.ok()) unknown.push(`${address} (${response.status()})`);
  }
  expect(unknown).toEqual([]);
});

test("a page that is opened at its address begins at its top, and a reload keeps its place", async ({
  page,
}) => {
  const scrolled = () => page.evaluate(() => window.scrollY);
  // Only the app has a footer; the prerendered page before it has none.
  const footer = page.getByRole("navigation", { name: "Footer" });
  await page.goto(paths.pricing);
  await expect(footer).toBeAttached();
  await page.mouse.wheel(0, 900);
  await expect.poll(scrolled).toBeGreaterThan(300);
  await page.reload();
  await expect.poll(scrolled).toBeGreaterThan(300);
  await page.goto(paths.market);
  await expect(page.getByRole("heading", { level: 1, name: "The market" })).toBeVisible();
  await expect(footer).toBeAttached();
  expect(await scrolled()).toBe(0);
});

test("a reader who scrolls before the app starts keeps the place", async ({ page }) => {
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  await page.route(/\/assets\/main-[^/]+\.js$/, async (route) => {
    await started;
    await route.continue();
  });
  await page.goto(paths.pricing);
  await page.mouse.wheel(0, 200);
  const scrolled = () => page.evaluate(() => window.scrollY);
  await expect.poll(scrolled).toBe(200);
  start();
  await expect(page.getByRole("navigation", { name: "Footer" })).toBeAttached();
  expect(await scrolled()).toBe(200);
});
