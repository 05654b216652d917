// The pictures of the README: taken from the portal under test, wide and phone. They assert that no page is wider than its
// window.

import path from "node:path";
import { cards, expect, test } from "./fixtures.ts";

const folder = path.join(import.meta.dirname, "screenshots");

for (const [name, width, height] of [
  ["wide", 1280, 800],
  ["phone", 390, 844],
] as const) {
  test(`${name} screenshots`, async ({ page, stats }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
    const take = async (file: string, fullPage = false) => {
      await page.evaluate(() => document.fonts.ready);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `${file} is wider than its window`).toBeLessThanOrEqual(0);
      await page.screenshot({ path: path.join(folder, `${file}-${name}.png`), fullPage });
    };
    await page.goto("/");
    await expect(page.getByText(String(stats.totalTenders)).first()).toBeVisible();
    await take("home");
    await page.goto("/tenders?show=live");
    await expect(cards(page).first()).toBeVisible();
    await take("tenders");
    await cards(page)
      .first()
      .getByRole("button", { name: /^View Details/ })
      .click();
    await cards(page).first().getByRole("link", { name: "Link to this tender" }).click();
    await expect(page.locator(".notice-text")).toBeVisible();
    const clip = page.getByRole("img", { name: /^Newspaper clip/ });
    await expect
      .poll(() => clip.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(50);
    await page.evaluate(() => window.scrollTo(0, 0));
    await take("tender", name === "wide");
  });
}
