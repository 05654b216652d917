// Visits every page of the app and the pages that the server renders, and expects that the content
// security policy blocks nothing. The policy permits no inline styles and scripts.

import type { Page } from "@playwright/test";
import { paths } from "../src/shared/paths.ts";
import { cards, expect, startSession, test } from "./fixtures.ts";
import { PASSWORD } from "./portal.ts";

test.describe.configure({ timeout: 120_000 });

/** Collects what the content security policy blocks on a page. */
async function collectViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction("reportViolation", (violation: string) => violations.push(violation));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const report = (window as unknown as { reportViolation: (violation: string) => void }).reportViolation;
      report(
        `${location.pathname}: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      );
    });
  });
  return violations;
}

async function visitPages(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const response = await page.goto(address);
    const policy = response?.headers()["content-security-policy"] ?? "";
    expect(policy, address).toContain("default-src");
    expect(policy, address).not.toContain("unsafe-inline");
    await expect(page.locator("h1").first()).toBeVisible();
    await expect(page.locator(".first-page, .skeleton")).toHaveCount(0);
  }
}

const allPages = Object.values(paths).filter((path) => typeof path === "string");

test("the policy blocks nothing for a guest", async ({ page }) => {
  const violations = await collectViolations(page);
  const pages = allPages.filter((path) => !path.startsWith("/operate"));
  await visitPages(page, [...pages, "/nowhere", "/tenders?search=road"]);
  await cards(page).first().getByRole("link").first().click();
  await expect(page.locator("h1").first()).toBeVisible();
  expect(violations).toEqual([]);
});

test("the policy blocks nothing in another language and theme", async ({ page }) => {
  const violations = await collectViolations(page);
  await page.addInitScript(() => {
    localStorage.setItem("language", "si");
    localStorage.setItem("theme", "dark");
  });
  await visitPages(page, [paths.home, paths.tenders, paths.login, paths.pricing]);
  expect(violations).toEqual([]);
});

test("the policy blocks nothing for an administrator", async ({ page }) => {
  const violations = await collectViolations(page);
  await startSession(page, "admin@demo.test");
  await visitPages(page, allPages);
  await page.goto(paths.operateFigures);
  await page.getByRole("button", { name: "New users" }).click();
  await expect(page.getByRole("dialog", { name: "New users" }).locator("svg").first()).toBeVisible();
  expect(violations).toEqual([]);
});

test("the policy blocks nothing for a subscriber and on the sandbox's card form", async ({
  page,
  request,
}) => {
  const violations = await collectViolations(page);
  await startSession(page, "enterprise@demo.test");
  await visitPages(page, [
    paths.account,
    paths.accountCompany,
    paths.accountNotifications,
    paths.accountSecurity,
    paths.accountTeam,
    paths.accountData,
    paths.alerts,
    paths.saved,
    paths.reports,
    paths.dashboard,
  ]);
  // The requests have cookies of their own. A sign-in in the browser would end the page's session.
  const login = await request.post("/api/auth/login", {
    data: { email: "supplier@demo.test", password: PASSWORD },
  });
  const made = await request.post("/api/subscriptions/create-checkout-session", {
    data: { planId: "enterprise", billingCycle: "monthly" },
    headers: { Authorization: `Bearer ${(await login.json()).data.token}` },
  });
  await visitPages(page, [(await made.json()).data.url]);
  await expect(page.locator("main")).toHaveCSS("max-width", "416px");
  expect(violations).toEqual([]);
});
