// Signing up, in and out, the start page of each role, and how long a session lasts.

import type { Page } from "@playwright/test";
import { expect, signIn, test } from "./fixtures.ts";
import { PASSWORD } from "./portal.ts";

const banner = "banner";

test("a supplier signs up, lands on the dashboard, and signs out to Home", async ({ page }) => {
  const email = `kumari.${Date.now()}@example.lk`;
  await page.goto("/register?role=supplier");
  await page.getByLabel("First name").fill("Kumari");
  await page.getByLabel("Last name").fill("Silva");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Repeat the password").fill(PASSWORD);
  await page.getByLabel(/I agree/).check();
  await page.getByRole("button", { name: "Create account" }).click();

  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  await expect(page.getByText("Account created successfully!")).toBeVisible();
  await expect(page.getByText(`Check your inbox: we sent a link to ${email}.`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Welcome, Kumari" })).toBeVisible();
  await expect(page.getByText("No tenders yet")).toBeVisible();
  await expect(page.getByRole(banner).getByText("Welcome, Kumari Silva")).toBeVisible();
  await expect(page.getByRole(banner).getByRole("link", { name: "My Tenders" })).toBeVisible();

  await page.getByRole(banner).getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText("Successfully logged out!")).toBeVisible();
  await expect(page.getByRole(banner).getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(await page.evaluate(() => window.localStorage.length)).toBe(0);

  // The e-mail address now belongs to an account. A refused form keeps its input.
  await page.goto("/register");
  await page.getByLabel("First name").fill("Kumari");
  await page.getByLabel("Last name").fill("Silva");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Repeat the password").fill(PASSWORD);
  await page.getByLabel(/I agree/).check();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("Registration Failed", { exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "An account with this email already exists",
  );
  await expect(page.getByLabel("E-mail")).toHaveValue(email);
});

test("a buyer signs in and lands on the listing", async ({ page, stats }) => {
  await signIn(page, "buyer@demo.test");
  await expect(page).toHaveURL(/\/tenders$/);
  await expect(page.getByText("Successfully logged in!")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Registration of Suppliers" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    `PUBLISHED TENDERS: ${stats.totalTenders}`,
  );
  await page.goto("/supplier/dashboard");
  await expect(page).toHaveURL(/\/tenders$/);
});

test("a guest who opens a supplier's page signs in and returns to it", async ({ page }) => {
  await page.goto("/supplier/dashboard");
  await expect(page).toHaveURL(/\/login$/);
  const form = page.getByRole("main");
  await form.getByLabel("E-mail").fill("supplier@demo.test");
  await form.getByLabel("Password", { exact: true }).fill("not the password");
  await form.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Login Failed", { exact: true })).toBeVisible();
  await expect(form.getByRole("alert")).toContainText("Invalid email or password");
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
});

test("a sign-in link never redirects to another site", async ({ page }) => {
  await page.goto("/login?redirect=//evil.example/");
  const form = page.getByRole("main");
  await form.getByLabel("E-mail").fill("buyer@demo.test");
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/tenders$/);
});

test("an expiring session is renewed silently, and an ended session is reported", async ({ page }) => {
  await signIn(page, "supplier@demo.test");
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  const before = await page.evaluate(() => {
    window.localStorage.setItem("token_expiry", String(Math.floor(Date.now() / 1000) + 60));
    return window.localStorage.getItem("refresh_token");
  });
  await page.reload();
  await expect(page.getByRole("banner").getByText(/^Welcome, /)).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.localStorage.getItem("refresh_token"))).not.toBe(before);

  await page.evaluate(() => {
    window.localStorage.setItem("token_expiry", String(Math.floor(Date.now() / 1000) + 60));
    window.localStorage.setItem("refresh_token", "never issued");
  });
  await page.reload();
  await expect(page.getByText("Session Expired")).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => window.localStorage.getItem("auth_token"))).toBeNull();
});

for (const remember of [true, false]) {
  test(`a session that is ${remember ? "" : "not "}remembered ${remember ? "outlasts" : "ends with"} its browser`, async ({
    page,
    context,
    openPage,
  }) => {
    await page.goto("/login");
    const form = page.getByRole("main");
    await form.getByLabel("E-mail").fill("buyer@demo.test");
    await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
    if (remember) await form.getByLabel("Remember me").check();
    await form.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/tenders$/);
    const greeting = (tab: Page) => tab.getByRole(banner).getByText(/^Welcome, /);
    await page.reload();
    await expect(greeting(page)).toBeVisible();
    const otherTab = await context.newPage();
    await otherTab.goto("/");
    await expect(greeting(otherTab)).toBeVisible();

    // Simulates a restart of the browser, which drops session cookies.
    const kept = await context.storageState();
    const lasting = kept.cookies.filter(({ expires }) => expires !== -1);
    const again = await openPage({ storageState: { ...kept, cookies: lasting } });
    await again.goto("/");
    const isGuest = again.getByRole(banner).getByRole("link", { name: "Sign in" });
    await expect(remember ? greeting(again) : isGuest).toBeVisible();
    expect(await again.evaluate(() => window.localStorage.getItem("auth_token") !== null)).toBe(remember);
  });
}
