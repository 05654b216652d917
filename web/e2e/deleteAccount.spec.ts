// Exporting personal data and deleting the account.

import { readFile } from "node:fs/promises";
import { registerBuyer } from "./accounts.ts";
import { expect, expectNoViolations, test } from "./fixtures.ts";
import { continueWithGoogle, credentialOf } from "./google.ts";
import { PASSWORD, runningPortal } from "./portal.ts";

test("all data is downloaded, then the account is deleted", async ({ page, request }) => {
  const email = await registerBuyer(page);
  await page.goto("/account/data");
  const data = page.getByRole("region", { name: "Your data" });
  const download = page.waitForEvent("download");
  await data.getByRole("button", { name: "Download my data" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^serendib-tenders-\d{4}-\d\d-\d\d\.json$/);
  const kept = JSON.parse(await readFile(await file.path(), "utf8")) as {
    profile: { email: string };
    sessions: unknown[];
  };
  expect(kept.profile.email).toBe(email);
  expect(kept.sessions).toHaveLength(1);

  await data.getByRole("button", { name: "Delete my account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await expect(dialog).toContainText("Deleted at once");
  await expectNoViolations(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await data.getByRole("button", { name: "Delete my account" }).click();
  const confirm = dialog.getByRole("button", { name: "Delete my account" });
  await confirm.click();
  await expect(dialog.getByRole("alert")).toContainText("Enter your password");
  await dialog.getByLabel("Your password").fill("not it");
  await confirm.click();
  await expect(dialog.getByRole("alert")).toContainText("Wrong password");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await confirm.click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText("Your account is deleted")).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(await page.evaluate(() => window.localStorage.length)).toBe(0);
  const answer = await request.post("/api/auth/login", { data: { email, password: PASSWORD } });
  expect(answer.status()).toBe(401);
});

test("an account without a password is deleted after signing in with Google again", async ({ page }) => {
  test.skip(runningPortal !== undefined, "an already running portal does not trust the local issuer");
  const email = `malini.${crypto.randomUUID()}@gmail.com`;
  await page.goto("/register?role=supplier");
  await continueWithGoogle(page, credentialOf(email));
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  const requestedHosts: string[] = [];
  page.on("request", (sent) => requestedHosts.push(new URL(sent.url()).hostname));
  await page.goto("/account/security");
  await expect(page.getByText("This browser")).toBeVisible();
  expect(requestedHosts).not.toContain("accounts.google.com");
  const address = page.getByRole("region", { name: "E-mail address" });
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  const ask = page.getByRole("button", { name: "Delete my account" });
  await page.getByRole("link", { name: "Plan and profile" }).click();
  await address.getByLabel("New e-mail address").fill(`dias.${crypto.randomUUID()}@example.lk`);
  await address.getByRole("button", { name: "Change address" }).click();
  await expect(address.getByRole("button", { name: "Continue with Google" })).toBeVisible();
  await continueWithGoogle(page, credentialOf(email), address);
  await expect(address.getByRole("status")).toContainText("A link is on its way");
  await page.getByRole("link", { name: "Your data" }).click();
  // A Google button is shown and hidden before another one is used, which receives its own credential.
  await ask.click();
  await expect(dialog.getByRole("button", { name: "Continue with Google" })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await ask.click();
  await expect(dialog).toContainText("Your open tenders are withdrawn.");
  await continueWithGoogle(page, credentialOf(email, { iat: Math.floor(Date.now() / 1000) - 400 }), dialog);
  await expect(dialog.getByRole("alert")).toContainText("Please sign in with Google once more");
  await continueWithGoogle(page, credentialOf(email), dialog);
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText("Your account is deleted")).toBeVisible();
});
