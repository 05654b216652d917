// Signing in with Google, against a local issuer of ID tokens.

import { findMailedLink, registerBuyer } from "./accounts.ts";
import { expect, expectNoViolations, signOut, test } from "./fixtures.ts";
import { continueWithGoogle, credentialOf } from "./google.ts";
import { PASSWORD, runningPortal } from "./portal.ts";

test.skip(runningPortal !== undefined, "an already running portal does not trust the local issuer");

const newEmail = () => `malini.${crypto.randomUUID()}@gmail.com`;

test("a new user opens a buyer's account with Google and signs in again with it", async ({ page }) => {
  const email = newEmail();
  await page.goto("/register?role=buyer");
  await continueWithGoogle(page, credentialOf(email));
  await expect(page).toHaveURL(/\/tenders$/);
  await expect(page.getByText("Successfully logged in with Google!")).toBeVisible();
  await expect(page.getByRole("banner").getByText("Welcome, Malini Dias")).toBeVisible();
  await page.goto("/account/security");
  await expect(page.getByText("You sign in with Google.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Sign-in with Google" })).toContainText("is connected");
  await expectNoViolations(page);
  await signOut(page);
  await expect(page).toHaveURL(/\/$/);

  await page.goto("/login?redirect=/account");
  await continueWithGoogle(page, credentialOf(email));
  await expect(page).toHaveURL(/\/account$/);
});

test("an invalid Google token is refused, and so is a missing one", async ({ page }) => {
  await page.goto("/login");
  const failed = page.getByRole("main").getByText("Google login failed. Please try again.");
  await expect(page.getByRole("button", { name: "Continue with Google" })).toBeVisible();
  await expect(failed).toBeHidden();
  await continueWithGoogle(page);
  await expect(failed).toBeVisible();
  await expect(page.getByText("Failed to log in with Google")).toBeVisible();
  await continueWithGoogle(page, credentialOf(newEmail(), { aud: "another.apps.test" }));
  await expect(
    page.getByText("The sign-in with Google could not be verified. Please try again."),
  ).toBeVisible();
  await expect(failed).toBeVisible();
  expect(await page.evaluate(() => window.localStorage.length)).toBe(0);
});

test("an account with a password is connected to Google and disconnected again", async ({
  page,
  request,
}) => {
  const email = await registerBuyer(page);
  await page.goto("/account/security");
  const google = page.getByRole("region", { name: "Sign-in with Google" });
  await expect(google).toContainText("Confirm your e-mail address first");

  await page.goto(await findMailedLink(request, email, "verify-email"));
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByText("Your e-mail address is confirmed.")).toBeVisible();

  await page.goto("/account/security");
  await google.getByRole("button", { name: "Connect Google" }).click();
  const connecting = page.getByRole("dialog", { name: "Connect Google" });
  await connecting.getByLabel("Your password").fill(PASSWORD);
  await expectNoViolations(page);
  await continueWithGoogle(page, credentialOf(email), connecting);
  await expect(google).toContainText("A Google account is connected");
  await google.getByRole("button", { name: "Disconnect" }).click();
  const disconnecting = page.getByRole("dialog", { name: "Disconnect Google?" });
  await disconnecting.getByLabel("Your password").fill(PASSWORD);
  await disconnecting.getByRole("button", { name: "Disconnect" }).click();
  await expect(google).toContainText("Connect your Google account");
});

test("Google's script is loaded only on the pages for signing in", async ({ page }) => {
  const requestedUrls: string[] = [];
  page.on("request", (sent) => {
    if (new URL(sent.url()).hostname === "accounts.google.com") requestedUrls.push(sent.url());
  });
  for (const address of ["/", "/tenders", "/privacy", "/forgot-password"]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  expect(requestedUrls).toEqual([]);
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "Continue with Google" })).toBeVisible();
  expect(requestedUrls).toEqual(["https://accounts.google.com/gsi/client"]);
});
