// The pages about the company, the contact form, and the legal pages.

import { expect, test } from "./fixtures.ts";

test("a guest reads about the company and sends a message", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("contentinfo").getByRole("link", { name: "About" }).click();
  await expect(page.getByRole("heading", { name: "What we cannot promise" })).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).click();
  await expect(page.getByText("Monday to Friday, 9:00 AM to 5:00 PM")).toBeVisible();
  await page.getByLabel("Name").fill("Nimal");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Please fill in all fields");
  await page.getByLabel("E-mail").fill("nobody");
  await page.getByLabel("Message").fill("How do I publish a tender?");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Invalid email address");
  await page.getByLabel("E-mail").fill("nimal@example.lk");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Thank you. We reply within 24 hours")).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue("");
});

test("the footer links to the terms and to the privacy policy", async ({ page }) => {
  await page.goto("/tenders");
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await expect(page.getByRole("heading", { name: "What is binding" })).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByRole("heading", { name: "If you are not signed in" })).toBeVisible();
});
