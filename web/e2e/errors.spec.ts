// Failed calls and what the app shows for them: no response, the statuses 401, 403, 422 and 500,
// and responses without a message.

import type { Page } from "@playwright/test";
import { test as base, cards, expect, signIn, startSession } from "./fixtures.ts";
import { Gateway } from "./gateway.ts";
import { PASSWORD } from "./portal.ts";

const test = base.extend<{ gateway: Gateway }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from the pattern
  gateway: async ({}, use) => {
    const gateway = new Gateway();
    await gateway.start();
    await use(gateway);
    await gateway.stop();
  },
  baseURL: async ({ gateway }, use) => use(gateway.address),
});

// The tests stop the gateway. A service worker whose script is loading at that moment would log an
// error, so service workers are disabled here. `offline.spec.ts` tests the service worker.
test.use({ serviceWorkers: "block" });

const NO_MESSAGE = { status: 400, body: "{}" };
const SERVER_ERROR = {
  status: 500,
  body: JSON.stringify({ success: false, message: "Something went wrong on our side." }),
};

const toasts = (page: Page) => page.getByRole("region", { name: "Notifications" });

/** Makes the app request the portal's health at once, as if the network had returned. */
const refreshHealth = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event("online")));

async function fillRegistration(page: Page): Promise<void> {
  await page.goto("/register");
  await page.getByLabel("First name").fill("Ruwan");
  await page.getByLabel("Last name").fill("Perera");
  await page.getByLabel("E-mail").fill(`ruwan.${crypto.randomUUID()}@example.lk`);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Repeat the password").fill(PASSWORD);
  await page.getByLabel(/I agree/).check();
}

test("the badge shows five states of the connection", async ({ page, context, gateway }) => {
  const badge = page.getByRole("status", { name: /^Connection/ });
  gateway.respondWith("GET /api/health", "silence");
  await page.goto("/");
  await expect(badge).toHaveText("Checking");
  gateway.restore();
  await page.reload();
  await expect(badge).toHaveText("Connected");
  gateway.respondWith("GET /api/health", { status: 500, body: "no JSON", type: "text/html" });
  await refreshHealth(page);
  await expect(badge).toHaveText("API Error");
  await gateway.stop();
  await refreshHealth(page);
  await expect(badge).toHaveText("Backend Offline");
  await context.setOffline(true);
  await expect(badge).toHaveText("No Internet");
  await context.setOffline(false);
  await gateway.start();
  gateway.restore();
  await refreshHealth(page);
  await expect(badge).toHaveText("Connected");
});

test("a failed sign-in shows the reason or a general message", async ({ page, gateway }) => {
  const alert = page.getByRole("main").getByRole("alert");
  await signIn(page, "nobody@example.lk");
  await expect(toasts(page)).toContainText("Login Failed");
  await expect(toasts(page)).toContainText("Invalid email or password");
  await expect(alert).toHaveText("Invalid email or password");
  gateway.respondWith("POST /api/auth/login", NO_MESSAGE);
  await signIn(page, "buyer@demo.test");
  await expect(toasts(page)).toContainText("Login Failed");
  await expect(toasts(page)).toContainText("Invalid email or password");
  await expect(alert).toHaveText("Login failed");
  await gateway.stop();
  // The message is the same as before, so the test counts the requests: the first and one retry.
  let tries = 0;
  page.on("requestfailed", (request) => {
    if (request.url().endsWith("/api/auth/login")) tries += 1;
  });
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await expect.poll(() => tries).toBe(2);
  await expect(alert).toHaveText("Login failed");
  await expect(page.getByLabel("E-mail")).toHaveValue("buyer@demo.test");
  // The form keeps its input. Once the portal responds again, pressing the button is enough.
  await gateway.start();
  gateway.restore();
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/tenders$/);
});

test("a failed registration shows the reason or a general message", async ({ page, gateway }) => {
  const alert = page.getByRole("main").getByRole("alert");
  await fillRegistration(page);
  gateway.respondWith("POST /api/auth/register", NO_MESSAGE);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(toasts(page)).toContainText("Registration Failed");
  await expect(toasts(page)).toContainText("Failed to create account");
  await expect(alert).toContainText("Registration failed");
  gateway.respondWith("POST /api/auth/register", SERVER_ERROR);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(alert).toContainText("Something went wrong on our side.");
  gateway.restore();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
});

test("a listing and counters that fail to load show their errors in place", async ({ page, gateway }) => {
  gateway.respondWith("GET /api/tenders", SERVER_ERROR);
  gateway.respondWith("GET /api/tenders/stats", NO_MESSAGE);
  await page.goto("/about");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Tenders", exact: true })
    .click();
  await expect(page.getByText("Error loading statistics: Failed to load statistics")).toBeVisible();
  const refused = page.getByText("Error loading tenders: Something went wrong on our side.");
  // The error shows after the initial request and three retries.
  await expect(refused).toBeVisible({ timeout: 20_000 });
  gateway.restore();
  const retry = page.getByRole("button", { name: "Try Again" });
  await retry.last().click();
  await expect(retry).toHaveCount(1);
  await retry.click();
  await expect(cards(page).first()).toBeVisible();
  await expect(page.getByText(/^Error loading/)).toHaveCount(0);
});

test("401: a guest is told to sign in, and a user that the session has ended", async ({ page, gateway }) => {
  gateway.respondWith("GET /api/tenders", {
    status: 401,
    body: '{"success":false,"message":"Unauthorized"}',
  });
  await page.goto("/about");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Tenders", exact: true })
    .click();
  await expect(toasts(page)).toContainText("Access Denied");
  await expect(toasts(page)).toContainText("You need to be logged in to access this resource.");
  gateway.restore();
  await signIn(page, "buyer@demo.test");
  await expect(page.getByRole("banner").getByText(/^Welcome, /)).toBeVisible();
  await page.evaluate(() => {
    window.localStorage.setItem("auth_token", "no.longer.one");
    window.localStorage.setItem("refresh_token", "never issued");
  });
  await page.goto("/account");
  await expect(toasts(page)).toContainText("Session Expired");
  await expect(toasts(page)).toContainText("Please log in again to continue.");
  expect(await page.evaluate(() => window.localStorage.getItem("auth_token"))).toBeNull();
});

test("403 and 422: a feature outside the plan and an invalid filter are explained", async ({ page }) => {
  await page.goto("/tenders?kinds=sale");
  await expect(page.getByRole("alert")).toContainText(/^Error loading tenders: .*(P|p)rofessional/);
  await startSession(page, "professional@demo.test");
  await page.goto("/tenders?minValue=9&maxValue=1");
  await expect(page.getByRole("alert")).toContainText(
    "Error loading tenders: minValue: must not be greater than maxValue",
  );
});

test("a page that crashes offers to try again and to go Home", async ({ page, gateway, pageErrors }) => {
  const broken = JSON.stringify({ success: true, data: { tenders: [null], pagination: null } });
  gateway.respondWith("GET /api/tenders", { status: 200, body: broken });
  await page.goto("/about");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Tenders", exact: true })
    .click();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  expect(pageErrors.length).toBeGreaterThan(0);
  pageErrors.length = 0;
  gateway.restore();
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(cards(page).first()).toBeVisible();
  pageErrors.length = 0;
});
