// Checks the pages with axe in three languages, and in English in both themes. Also checks forms
// with errors, open cards and panels, and the phone's menu.

import type { Page } from "@playwright/test";
import {
  cards,
  expect,
  expectNoViolations,
  expectNoViolationsInBothThemes,
  PRINTED_TENDER,
  startSession,
  test,
} from "./fixtures.ts";
import { FORM_STEPS, openStep, publishTender } from "./tenderForm.ts";

// Each test checks many pages. English pages are checked twice.
test.describe.configure({ timeout: 120_000 });

const PUBLIC_PAGES = [
  "/",
  "/tenders",
  "/login",
  "/register",
  "/pricing",
  "/awards",
  "/buyers",
  "/market",
  "/market/districts/galle",
  "/market/sectors/it",
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
/** The length of the first half. Each half has a test of its own, because of the time limit. */
const HALF_LENGTH = Math.ceil(PUBLIC_PAGES.length / 2);
const SUPPLIER_PAGES = [
  "/join?token=x",
  "/account",
  "/account/company",
  "/account/notifications",
  "/account/security",
  "/account/team",
  "/account/data",
  "/bids",
  "/bids/calendar",
  "/saved",
  "/reports",
  "/alert-settings",
  "/welcome",
  "/supplier/dashboard",
  "/supplier/add-tender",
];

/** Opens a page, expects it in `language`, and waits until it has loaded. */
async function openPage(page: Page, address: string, language: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator("html")).toHaveAttribute("lang", language);
  await expect(page.locator("#root h1").first()).toBeVisible();
  await expect(page.locator(".first-page, .skeleton")).toHaveCount(0);
}

/**
 * Checks a page with axe. An English page is checked in both themes. For other languages, the rules
 * on colours are left out, because they do not depend on the language.
 */
async function expectAccessible(page: Page, address: string, language: string): Promise<void> {
  await openPage(page, address, language);
  if (language === "en") await expectNoViolationsInBothThemes(page);
  else await expectNoViolations(page, "without colours");
}

for (const language of ["en", "si", "ta"]) {
  test.describe(`no violations in ${language}`, () => {
    test.use({ contextOptions: { reducedMotion: "reduce" } });
    const setLanguage = (page: Page) =>
      page.addInitScript((chosen) => localStorage.setItem("language", chosen), language);

    test("on the first half of the public pages and a tender's page", async ({ page, request }) => {
      const { data } = await (await request.get("/api/tenders?limit=1")).json();
      await setLanguage(page);
      for (const address of [...PUBLIC_PAGES.slice(0, HALF_LENGTH), `/tenders/${data.tenders[0]._id}`]) {
        await expectAccessible(page, address, language);
      }
    });

    test("on the second half of the public pages", async ({ page }) => {
      await setLanguage(page);
      for (const address of PUBLIC_PAGES.slice(HALF_LENGTH)) {
        await expectAccessible(page, address, language);
      }
    });

    test("on a supplier's pages", async ({ page, request }) => {
      await startSession(page, "supplier@demo.test");
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

test.describe("no violations in either theme", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("in a form with errors", async ({ page }) => {
    await page.goto("/register?role=buyer");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("main").getByRole("alert")).toContainText("required");
    await expectNoViolationsInBothThemes(page);
  });

  test("in the listing, on a tender's page and in the phone's menu", async ({ page }) => {
    await page.goto("/tenders?show=live");
    await expect(cards(page).first()).toBeVisible();
    await expectNoViolationsInBothThemes(page);
    await page.goto(PRINTED_TENDER);
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

  test("in the advanced search and its suggestions", async ({ page }) => {
    await startSession(page, "professional@demo.test");
    await page.goto("/tenders?search=road&kinds=purchase");
    await page.getByRole("button", { name: "Advanced search" }).click();
    await expect(page.getByRole("group", { name: "Province" })).toBeVisible();
    await page.getByRole("button", { name: "All districts" }).click();
    await expect(page.getByRole("group", { name: "District" })).toBeVisible();
    await expectNoViolationsInBothThemes(page);
    await page.getByRole("combobox", { name: "Search in tenders" }).fill("gal");
    await expect(page.getByRole("option", { name: /^Galle/ }).first()).toBeVisible();
    await expectNoViolationsInBothThemes(page);
  });

  test("in each step of the tender form with errors", async ({ page }) => {
    await startSession(page, "supplier@demo.test");
    await page.goto("/supplier/add-tender");
    await page.getByRole("button", { name: "Add a lot" }).click();
    await openStep(page, "Who may bid");
    await page.getByRole("button", { name: "Add a grade" }).click();
    await publishTender(page);
    await expect(page.getByRole("main").getByRole("alert")).toContainText("required");
    for (const step of FORM_STEPS) {
      await openStep(page, step);
      await expectNoViolationsInBothThemes(page);
    }
  });
});
