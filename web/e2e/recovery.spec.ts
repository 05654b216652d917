// Confirming and changing an e-mail address, resetting and changing a password, and the profile.

import { findMailedLink, registerBuyer } from "./accounts.ts";
import { expect, signOut, test } from "./fixtures.ts";
import { PASSWORD } from "./portal.ts";

test("a buyer registers and confirms the address with the mailed link", async ({ page, request }) => {
  const email = await registerBuyer(page);
  await page.getByRole("banner").getByRole("link", { name: "Welcome, Malini Dias" }).click();
  await expect(page.getByText(`${email} is not confirmed yet`)).toBeVisible();
  await page.goto(await findMailedLink(request, email, "verify-email"));
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByText("Your e-mail address is confirmed.")).toBeVisible();
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: "Profile", exact: true })).toBeVisible();
  await expect(page.getByText("is not confirmed yet")).toHaveCount(0);
});

test("a forgotten password is reset with the mailed link", async ({ page, request }) => {
  const email = await registerBuyer(page);
  await signOut(page);
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // The sign-in form also has the field "E-mail", so wait for the next page.
  await expect(page.getByRole("heading", { name: "Forgotten password" })).toBeVisible();
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(`If there is an account for ${email}`)).toBeVisible();

  await page.goto(await findMailedLink(request, email, "reset-password"));
  await page.getByLabel("New password").fill("another secret");
  await page.getByLabel("Repeat the password").fill("an other secret");
  await page.getByRole("button", { name: "Save the password" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Passwords do not match");
  await page.getByLabel("Repeat the password").fill("another secret");
  await page.getByRole("button", { name: "Save the password" }).click();
  await expect(page).toHaveURL(/\/login$/);
  const form = page.getByRole("main");
  await form.getByLabel("E-mail").fill(email);
  await form.getByLabel("Password", { exact: true }).fill("another secret");
  await form.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/tenders$/);
});

test("a profile and a password are changed, and another session is ended", async ({ page, openPage }) => {
  const email = await registerBuyer(page);
  const other = await openPage();
  await other.goto("/login");
  await other.getByRole("main").getByLabel("E-mail").fill(email);
  await other.getByRole("main").getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await expect(other).toHaveURL(/\/tenders$/);

  await page.goto("/account");
  await page.getByLabel("Company").fill("Dias Stores");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Your profile is saved")).toBeVisible();
  await page.getByRole("link", { name: "Sign-in and security" }).click();
  await page.getByRole("button", { name: "Sign out there" }).click();
  await expect(page.getByRole("button", { name: "Sign out there" })).toHaveCount(0);
  await page.getByLabel("Current password").fill("not it");
  await page.getByLabel("New password").fill("another secret");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("region", { name: "Password" }).getByRole("alert")).toContainText(
    "Wrong password",
  );
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText(/Your password is changed, and you are signed out/)).toBeVisible();
  await page.goto("/account");
  await expect(page.getByLabel("Company")).toHaveValue("Dias Stores");
});

test("a new address is requested and takes effect once its link is followed", async ({ page, request }) => {
  const email = await registerBuyer(page);
  const other = email.replace("malini", "malini.dias");
  await page.goto("/account");
  const part = page.getByRole("region", { name: "E-mail address" });
  await expect(part).toContainText(`You sign in with ${email}`);
  await part.getByRole("button", { name: "Change address" }).click();
  await expect(part.getByRole("alert")).toContainText("Enter the new e-mail address");
  await part.getByLabel("New e-mail address").fill(other);
  await part.getByLabel("Your password").fill("not it");
  await part.getByRole("button", { name: "Change address" }).click();
  await expect(part.getByRole("alert")).toContainText("Wrong password");
  await part.getByLabel("Your password").fill(PASSWORD);
  await part.getByRole("button", { name: "Change address" }).click();
  await expect(part.getByRole("status")).toContainText(`A link is on its way to ${other}`);

  await page.goto(await findMailedLink(request, other, "verify-email"));
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByText("Your e-mail address is confirmed.")).toBeVisible();
  await page.goto("/account");
  await expect(part).toContainText(`You sign in with ${other}`);
  await expect(page.getByText("is not confirmed yet")).toHaveCount(0);
});
