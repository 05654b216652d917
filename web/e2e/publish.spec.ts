// A supplier's own tenders, from draft to withdrawal.

import type { Page } from "@playwright/test";
import { expect, registerSupplier, test, uniqueWord, withdrawTender } from "./fixtures.ts";

const counter = (page: Page, name: string) =>
  page.getByRole("group", { name: "Show" }).getByRole("button", { name }).locator("span").first();

test("a supplier drafts, publishes, edits and withdraws a tender", async ({ page }) => {
  const title = `Supply of ${uniqueWord()} chairs`;
  await registerSupplier(page);
  await page.goto("/supplier/dashboard");
  await page.getByRole("link", { name: "Add Your First Tender" }).click();
  await page.getByLabel("Title").fill(title);
  await page.getByRole("button", { name: "Publish Tender" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Description is required");
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(page.getByText("Tender created successfully")).toBeVisible();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  await expect(counter(page, "Drafts")).toHaveText("1");

  await page.getByRole("link", { name: `Edit ${title}` }).click();
  await page.getByLabel("Description").fill("Two hundred, of wood.");
  await page.getByLabel("Reference number").fill("FW/1");
  await page.getByLabel("Category", { exact: true }).selectOption("Furniture");
  await page.getByLabel("Province").selectOption("Southern");
  await page.getByLabel("District").selectOption("Matara");
  await page.getByLabel("Closing date").fill("2099-01-31");
  await page.getByRole("button", { name: "Publish Tender" }).click();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  await expect(counter(page, "Live")).toHaveText("1");

  await page.goto(`/tenders?search=${encodeURIComponent(title)}`);
  await expect(page.getByRole("article", { name: title })).toBeVisible();

  await page.goto("/supplier/dashboard");
  await page.getByRole("link", { name: `Edit ${title}` }).click();
  await page.getByLabel("City").fill("Weligama");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Tender updated successfully")).toBeVisible();
  await expect(page.getByText(/Weligama, Matara/)).toBeVisible();

  await withdrawTender(page, title);
  await page.goto(`/tenders?search=${encodeURIComponent(title)}`);
  await expect(page.getByRole("article", { name: title })).toHaveCount(0);
});

test("the input of a new tender survives a reload", async ({ page }) => {
  await registerSupplier(page);
  await page.goto("/supplier/add-tender");
  await page.getByLabel("Title").fill("Half a tender");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText(/did not send has been restored/)).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Half a tender");
});

test("a draft whose response was lost is not created twice if it is sent again after a reload", async ({
  page,
}) => {
  const title = `Supply of ${uniqueWord()} desks`;
  await registerSupplier(page);
  await page.goto("/supplier/add-tender");
  await page.getByLabel("Title").fill(title);
  // The request reaches the server, but the response is lost.
  await page.route("**/api/tenders", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Failed to create tender");
  await page.unroute("**/api/tenders");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await page.getByLabel("Description").fill("Two hundred, of wood.");
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  await expect(counter(page, "Drafts")).toHaveText("1");
  await page.getByRole("link", { name: `Edit ${title}` }).click();
  await expect(page.getByLabel("Description")).toHaveValue("Two hundred, of wood.");
});

test("a guest who opens the tender form is sent to sign-in", async ({ page }) => {
  await page.goto("/supplier/add-tender");
  await expect(page).toHaveURL(/\/login$/);
});
