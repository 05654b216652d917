// axe over every route, in both themes.

import { cards, expect, expectNoViolations, signIn, test } from "./fixtures.ts";

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });

    test("pages for everyone", async ({ page, stats }) => {
      await page.goto("/");
      await expect(page.getByText(String(stats.totalTenders)).first()).toBeVisible();
      await expectNoViolations(page);
      for (const [address, heading] of [
        ["/login", "Sign in"],
        ["/register", "Create an account"],
        ["/about", "About"],
        ["/contact", "Contact"],
        ["/terms", "Terms of use"],
        ["/privacy", "Privacy"],
        ["/forgot-password", "Forgotten password"],
        ["/reset-password?token=x", "Choose a new password"],
        ["/verify-email?token=x", "Confirm your e-mail address"],
        ["/nowhere", "Oops! Page not found"],
      ] as const) {
        await page.goto(address);
        await expect(page.getByRole("heading", { name: heading })).toBeVisible();
        await expectNoViolations(page);
      }
      await page.goto("/register?role=buyer");
      await page.getByRole("button", { name: "Create account" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toContainText("required");
      await expectNoViolations(page);
    });

    test("the listing, closed and open", async ({ page }) => {
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
      await page.getByRole("button", { name: "Advance search" }).click();
      await expect(page.getByRole("group", { name: "District" })).toBeVisible();
      await expectNoViolations(page);
      await page.getByRole("combobox", { name: "Search in tenders" }).fill("gal");
      await expect(page.getByRole("option", { name: /^Galle/ }).first()).toBeVisible();
      await expectNoViolations(page);
    });

    test("the dashboard and the form of a tender", async ({ page }) => {
      await signIn(page, "supplier@demo.test");
      await expect(page.getByRole("heading", { name: "My Tenders" })).toBeVisible();
      await expectNoViolations(page);
      await page.goto("/account");
      await expect(page.getByText("This browser")).toBeVisible();
      await expectNoViolations(page);
      await page.goto("/supplier/add-tender");
      await page.getByRole("button", { name: "Publish Tender" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toContainText("required");
      await expectNoViolations(page);
    });
  });
}
