// Screenshots of the main pages in a wide window and a phone's window. No page may be wider than
// its window. The pictures are test results. With SCREENSHOTS=update, they replace the ones in
// `screenshots/`.

import path from "node:path";
import { cards, expect, startSession, test } from "./fixtures.ts";
import { openStep } from "./tenderForm.ts";

const folder = path.join(import.meta.dirname, "screenshots");

for (const [name, width, height] of [
  ["wide", 1280, 1000],
  ["phone", 390, 844],
] as const) {
  test(`the main pages fit a ${name} window, with screenshots`, async ({ page, stats }, testInfo) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
    const take = async (file: string) => {
      await page.evaluate(() => document.fonts.ready);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `${file} is wider than its window`).toBeLessThanOrEqual(0);
      const picture = `${file}-${name}.png`;
      const kept = process.env.SCREENSHOTS === "update";
      await page.screenshot({ path: kept ? path.join(folder, picture) : testInfo.outputPath(picture) });
    };
    const waitUntilLoaded = async () => {
      await expect(page.locator(".notice-text").first()).toBeVisible();
      const clip = page.getByRole("img", { name: /^Newspaper clip/ });
      await expect
        .poll(() => clip.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(50);
    };

    await page.goto("/");
    await expect(page.getByText(String(stats.totalTenders)).first()).toBeVisible();
    await take("home");

    await page.goto("/tenders?show=live");
    const card = cards(page).first();
    await expect(card).toBeVisible();
    if (name === "phone") await take("tenders");
    await card.getByRole("button", { name: /^View Details/ }).click();
    await waitUntilLoaded();
    await page.mouse.move(0, 0);
    if (name === "wide") await take("tenders");

    await card.getByRole("link", { name: "Link to this tender" }).click();
    await waitUntilLoaded();
    await page.evaluate(() => window.scrollTo(0, 0));
    await take("tender");

    await startSession(page, "professional@demo.test");
    await page.goto("/tenders?search=construction+road&kinds=purchase");
    await expect(cards(page).first().locator("mark").first()).toBeVisible();
    const filters = name === "phone" ? "Filters: 1 set" : "Advanced search";
    await page.getByRole("button", { name: filters }).click();
    await expect(page.getByRole("group", { name: "Province" })).toBeVisible();
    await take("search");
    // A tender whose title or closing date is uncertain, in both themes.
    const found = (await (await page.request.get("/api/tenders?limit=50")).json()).data.tenders as {
      _id: string;
      fieldStates?: Record<string, string>;
    }[];
    const doubtful = found.find(({ fieldStates }) => fieldStates?.["dates.closing"] ?? fieldStates?.title);
    await page.goto(`/tenders/${doubtful?._id}`);
    await waitUntilLoaded();
    await expect(page.getByText("Not certain:").first()).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, 0));
    await take("doubtful");
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "dark" });
    await take("doubtful-dark");
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());

    await startSession(page, "supplier@demo.test");
    await page.goto("/supplier/add-tender");
    await page.getByLabel("Title").fill("Supply of two hundred chairs");
    await openStep(page, "Attachments");
    await page.getByLabel(/^Tags/).fill("chairs");
    await page.getByLabel(/^Tags/).press("Enter");
    await openStep(page, "What is bought");
    await page.evaluate(() => window.scrollTo(0, 0));
    await take("publish");
    await page.getByRole("button", { name: "Save as Draft" }).click();
    await expect(page.getByRole("link", { name: "Edit Supply of two hundred chairs" }).first()).toBeVisible();
    await take("dashboard");
  });
}
