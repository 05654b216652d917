// Checks every route with axe, in both themes and three languages, including dialogs and open
// panels.

import type { Page } from "@playwright/test";
import {
  cards,
  expect,
  expectNoViolations,
  expectNoViolationsInBothThemes,
  signIn,
  test,
} from "./fixtures.ts";

// Each test checks many pages twice.
test.describe.configure({ timeout: 120_000 });

const PUBLIC_PAGES = [
  "/",
  "/tenders",
  "/login",
  "/register",
  "/pricing",
  "/about",
  "/contact",
  "/terms",
  "/privacy",
  "/forgot-password",
  "/reset-password?token=x",
  "/verify-email?token=x",
  "/subscription/success",
  "/subscription/cancel",
  "/nowhere",
];
/** Each half is checked by a test of its own, because of the time limit. */
const HALF = Math.ceil(PUBLIC_PAGES.length / 2);
const SUPPLIER_PAGES = [
  "/join?token=x",
  "/account",
  "/saved",
  "/reports",
  "/alert-settings",
  "/supplier/dashboard",
  "/supplier/add-tender",
];

/** Opens a page in a language and waits until it has loaded. */
async function open(page: Page, address: string, language: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator("html")).toHaveAttribute("lang", language);
  await expect(page.locator("#root h1").first()).toBeVisible();
  await expect(page.locator(".first-page, .skeleton")).toHaveCount(0);
}

/**
 * Checks a page: in English in both themes, in the other languages without the rules on colours,
 * which do not depend on the language.
 */
async function expectAccessible(page: Page, address: string, language: string): Promise<void> {
  await open(page, address, language);
  if (language === "en") await expectNoViolationsInBothThemes(page);
  else await expectNoViolations(page, "without colours");
}

for (const language of ["en", "si", "ta"]) {
  test.describe(`every page in ${language}`, () => {
    test.use({ contextOptions: { reducedMotion: "reduce" } });
    const setLanguage = (page: Page) =>
      page.addInitScript((chosen) => localStorage.setItem("language", chosen), language);

    test("public pages, first half with a tender's page", async ({ page, request }) => {
      const { data } = await (await request.get("/api/tenders?limit=1")).json();
      await setLanguage(page);
      for (const address of [...PUBLIC_PAGES.slice(0, HALF), `/tenders/${data.tenders[0]._id}`]) {
        await expectAccessible(page, address, language);
      }
    });

    test("public pages, second half", async ({ page }) => {
      await setLanguage(page);
      for (const address of PUBLIC_PAGES.slice(HALF)) {
        await expectAccessible(page, address, language);
      }
    });

    test("a supplier's pages", async ({ page, request }) => {
      await signIn(page, "supplier@demo.test");
      await expect(page).toHaveURL(/dashboard$/);
      const token = await page.evaluate(() => localStorage.getItem("auth_token"));
      const headers = { authorization: `Bearer ${token}` };
      const { data } = await (await request.get("/api/tenders/user/my-tenders", { headers })).json();
      const edit = data.tenders
        .slice(0, 1)
        .map(({ _id }: { _id: string }) => `/supplier/tenders/${_id}/edit`);
      await setLanguage(page);
      for (const address of [...SUPPLIER_PAGES, ...edit]) {
        await expectAccessible(page, address, language);
      }
    });
  });
}

test.describe("states of pages, in both themes", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("a form with errors", async ({ page }) => {
    await page.goto("/register?role=buyer");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("main").getByRole("alert")).toContainText("required");
    await expectNoViolationsInBothThemes(page);
  });

  test("the listing, with a card closed and open", async ({ page }) => {
    await page.goto("/tenders?show=live");
    await expect(cards(page).first()).toBeVisible();
    await expectNoViolationsInBothThemes(page);
    await cards(page)
      .first()
      .getByRole("button", { name: /^View Details/ })
      .click();
    await expect(cards(page).first().getByRole("img")).toBeVisible();
    await expectNoViolationsInBothThemes(page);
    await cards(page).first().getByRole("link", { name: "Link to this tender" }).click();
    await expect(cards(page)).toHaveCount(0);
    await expect(page.getByRole("img", { name: /^Newspaper clip/ })).toBeVisible();
    await expectNoViolationsInBothThemes(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Open the menu" }).click();
    await expectNoViolationsInBothThemes(page);
  });

  test("advanced search and suggestions", async ({ page }) => {
    await signIn(page, "professional@demo.test");
    await expect(page).toHaveURL(/dashboard$/);
    await page.goto("/tenders?search=road&kinds=purchase");
    await page.getByRole("button", { name: "Advanced search" }).click();
    await expect(page.getByRole("group", { name: "District" })).toBeVisible();
    await expectNoViolationsInBothThemes(page);
    await page.getByRole("combobox", { name: "Search in tenders" }).fill("gal");
    await expect(page.getByRole("option", { name: /^Galle/ }).first()).toBeVisible();
    await expectNoViolationsInBothThemes(page);
  });

  test("the tender form with errors", async ({ page }) => {
    await signIn(page, "supplier@demo.test");
    await expect(page.getByRole("heading", { name: "My Tenders" })).toBeVisible();
    await page.goto("/supplier/add-tender");
    await page.getByRole("button", { name: "Publish Tender" }).click();
    await expect(page.getByRole("main").getByRole("alert")).toContainText("required");
    await expectNoViolationsInBothThemes(page);
  });
});
