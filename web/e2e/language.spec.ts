// Language and theme: a choice changes the page and survives a reload. In Sinhala and Tamil, no
// page is wider than its window.

import type { Page } from "@playwright/test";
import { expect, expectNoViolations, test } from "./fixtures.ts";

const languages = [
  {
    code: "si",
    name: "සිංහල",
    title: "ශ්‍රී ලංකාවේ ටෙන්ඩර් දැන්වීම්, ඔබ වෙනුවෙන් කියවා.",
    listing: "පළ කළ ටෙන්ඩර්:",
    closed: "අවසන් වූ ටෙන්ඩර්",
  },
  {
    code: "ta",
    name: "தமிழ்",
    title: "இலங்கையின் கேள்விமனு அறிவித்தல்கள், உங்களுக்காக வாசிக்கப்பட்டவை.",
    listing: "வெளியிடப்பட்ட கேள்விமனுக்கள்:",
    closed: "முடிவடைந்த கேள்விமனுக்கள்",
  },
] as const;

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function expectLanguage(page: Page, code: string, title: string): Promise<void> {
  await expect(heading(page)).toHaveText(title);
  await expect(page.locator("html")).toHaveAttribute("lang", code);
}

for (const { code, name, title, listing, closed } of languages) {
  test.describe(`in ${name}`, () => {
    test.use({ contextOptions: { reducedMotion: "reduce" } });

    test("a choice changes all texts and survives a reload", async ({ page }) => {
      await page.goto("/");
      await page.getByRole("contentinfo").getByRole("button", { name }).click();
      await expectLanguage(page, code, title);
      // After a reload, no heading appears in another language.
      await page.addInitScript(() => {
        const seen: string[] = [];
        Object.assign(window, { seen });
        new MutationObserver(() => {
          const heading = document.querySelector("h1");
          const words = heading?.checkVisibility() && heading.textContent;
          if (words && !seen.includes(words)) seen.push(words);
        }).observe(document, { childList: true, subtree: true });
      });
      await page.reload();
      await expectLanguage(page, code, title);
      expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([title]);
      await page.getByRole("contentinfo").getByRole("button", { name: "English" }).click();
      await expectLanguage(page, "en", "Sri Lanka's tender notices, read for you.");
    });

    test("the heading and the statuses of the listing are in the language", async ({ page, stats }) => {
      await page.goto("/");
      await page.getByRole("contentinfo").getByRole("button", { name }).click();
      await expectLanguage(page, code, title);
      await page.goto("/tenders");
      await expect(heading(page)).toHaveText(`${listing} ${stats.totalTenders}`);
      await page.goto("/tenders?show=closed");
      await expect(page.getByText(closed).first()).toBeVisible();
    });

    test("no page is wider than its window", async ({ page }) => {
      await page.goto("/");
      await page.getByRole("contentinfo").getByRole("button", { name }).click();
      await expectLanguage(page, code, title);
      const wide: string[] = [];
      for (const address of ["/", "/tenders", "/login", "/register", "/about", "/contact"]) {
        await page.goto(address);
        await expect(heading(page)).toBeVisible();
        await page.evaluate(() => document.fonts.ready);
        for (const width of [320, 390, 768, 1024, 1280, 1536]) {
          await page.setViewportSize({ width, height: 800 });
          const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          if (over > 0) wide.push(`${address} at ${width}: ${over} too wide`);
        }
      }
      expect(wide).toEqual([]);
    });
  });
}

test.describe("a visitor whose browser prefers Tamil", () => {
  test.use({ locale: "ta-LK" });

  test("gets Tamil, and can choose English with the keyboard", async ({ page }) => {
    await page.goto("/");
    await expectLanguage(page, "ta", languages[1].title);
    await page.getByRole("contentinfo").getByRole("button", { name: "English" }).focus();
    await page.keyboard.press("Enter");
    await expectLanguage(page, "en", "Sri Lanka's tender notices, read for you.");
    await page.reload();
    await expectLanguage(page, "en", "Sri Lanka's tender notices, read for you.");
  });
});

test("the narrowest phone has the languages in its menu", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/");
  await page.getByRole("button", { name: "Open the menu" }).click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "සිංහල" }).click();
  await expectLanguage(page, "si", languages[0].title);
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test("a language that fails to load leaves the page as it is and shows an error", async ({
  page,
  context,
}) => {
  await page.goto("/");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await context.setOffline(true);
  await page.getByRole("contentinfo").getByRole("button", { name: "සිංහල" }).click();
  await expect(page.getByText("That language could not be loaded.")).toBeVisible();
  await expectLanguage(page, "en", "Sri Lanka's tender notices, read for you.");
});

test("a chosen dark theme survives a reload on a light device", async ({ page }) => {
  await page.goto("/");
  const theme = page.getByRole("contentinfo").getByRole("group", { name: "Colours" });
  await theme.getByRole("button", { name: "Dark" }).click();
  const expectDark = async () => {
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
    await expect(page.locator('meta[name="theme-color"]')).toHaveAttribute("content", "#161513");
  };
  await expectDark();
  await page.reload();
  await expectDark();
  await expect(theme.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");
  await expectNoViolations(page);
  await theme.getByRole("button", { name: "System" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expectDark();
});

test("with reduced motion, a change of theme is complete at once", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  // The styles are computed here, which would start the transitions.
  const running = await page.evaluate(
    () => getComputedStyle(document.body).color && document.getAnimations().length,
  );
  expect(running).toBe(0);
});
