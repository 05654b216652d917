// Checks every route with axe, in both themes and three languages, including dialogs and open
// panels.

import type { Page } from "@playwright/test";
import { cards, expect, expectNoViolations, signIn, test } from "./fixtures.ts";

// Each test checks many pages twice.
test.describe.configure({ timeout: 120_000 });

/** Public pages. */
const PAGES = [
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
/** As many pages as one test can check within its time limit. */
const HALF = Math.ceil(PAGES.length / 2);
/** A supplier's pages. */
const SUPPLIERS_PAGES = [
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

/** Checks a page in both themes without loading it twice. */
async function inspect(page: Page, address: string, language: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await open(page, address, language);
  await expectNoViolations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
  await expectNoViolations(page);
}

for (const language of ["en", "si", "ta"]) {
  test.describe(`every page in ${language}, light and dark`, () => {
    test.use({ contextOptions: { reducedMotion: "reduce" } });
    const speak = (page: Page) =>
      page.addInitScript((chosen) => localStorage.setItem("language", chosen), language);

    test("public pages, first half with a tender's page", async ({ page, request }) => {
      const { data } = await (await request.get("/api/tenders?limit=1")).json();
      await speak(page);
      for (const address of [...PAGES.slice(0, HALF), `/tenders/${data.tenders[0]._id}`]) {
        await inspect(page, address, language);
      }
    });

    test("public pages, second half", async ({ page }) => {
      await speak(page);
      for (const address of PAGES.slice(HALF)) {
        await inspect(page, address, language);
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
      await speak(page);
      for (const address of [...SUPPLIERS_PAGES, ...edit]) {
        await inspect(page, address, language);
      }
    });
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });

    test("a form with errors", async ({ page }) => {
      await page.goto("/register?role=buyer");
      await page.getByRole("button", { name: "Create account" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toContainText("required");
      await expectNoViolations(page);
    });

    test("the listing, with a card closed and open", async ({ page }) => {
      await page.goto("/tenders?show=live");
      await expect(cards(page).first()).toBeVisible();
      await expectNoViolations(page);
      await cards(page)
        .first()
        .getByRole("button", { name: /^View Details/ })
        .click();
      await expect(cards(page).first().getByRole("img")).toBeVisible();
      await expectNoViolations(page);
      await cards(page).first().getByRole("link", { name: "Link to this tender" }).click();
      await expect(cards(page)).toHaveCount(0);
      await expect(page.getByRole("img", { name: /^Newspaper clip/ })).toBeVisible();
      await expectNoViolations(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole("button", { name: "Open the menu" }).click();
      await expectNoViolations(page);
    });

    test("advanced search and suggestions", async ({ page }) => {
      await signIn(page, "professional@demo.test");
      await expect(page).toHaveURL(/dashboard$/);
      await page.goto("/tenders?search=road&kinds=purchase");
      await page.getByRole("button", { name: "Advanced search" }).click();
      await expect(page.getByRole("group", { name: "District" })).toBeVisible();
      await expectNoViolations(page);
      await page.getByRole("combobox", { name: "Search in tenders" }).fill("gal");
      await expect(page.getByRole("option", { name: /^Galle/ }).first()).toBeVisible();
      await expectNoViolations(page);
    });

    test("the tender form with errors", async ({ page }) => {
      await signIn(page, "supplier@demo.test");
      await expect(page.getByRole("heading", { name: "My Tenders" })).toBeVisible();
      await page.goto("/supplier/add-tender");
      await page.getByRole("button", { name: "Publish Tender" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toContainText("required");
      await expectNoViolations(page);
    });
  });
}
