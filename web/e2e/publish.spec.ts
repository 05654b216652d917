// A supplier's own tenders, from draft to withdrawal.

import type { Page } from "@playwright/test";
import { expect, registerSupplier, test, uniqueWord, withdrawTender } from "./fixtures.ts";
import { fillTenderForm, openStep, publishTender } from "./tenderForm.ts";

const counter = (page: Page, name: string) =>
  page.getByRole("group", { name: "Show" }).getByRole("button", { name }).locator("span").first();

test("a supplier drafts, publishes, edits and withdraws a tender", async ({ page }) => {
  const title = `Supply of ${uniqueWord()} chairs`;
  await registerSupplier(page);
  await page.goto("/supplier/dashboard");
  await page.getByRole("link", { name: "Add Your First Tender" }).click();
  await page.getByLabel("Title").fill(title);
  await publishTender(page);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Description is required");
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(page.getByText("Tender created successfully")).toBeVisible();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  await expect(counter(page, "Drafts")).toHaveText("1");

  await page.getByRole("link", { name: `Edit ${title}` }).click();
  await fillTenderForm(page, title);
  await publishTender(page);
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  await expect(counter(page, "Live")).toHaveText("1");

  await page.goto(`/tenders?search=${encodeURIComponent(title)}`);
  await expect(page.getByRole("article", { name: title })).toBeVisible();

  await page.goto("/supplier/dashboard");
  await page.getByRole("link", { name: `Edit ${title}` }).click();
  await openStep(page, "Dates and places");
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
  await openStep(page, "Money and documents");
  await page.getByLabel("Document fee").fill("3,500");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText(/did not send has been restored/)).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Money and documents" })).toBeVisible();
  await expect(page.getByLabel("Document fee")).toHaveValue("3,500");
  await openStep(page, "What is bought");
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

test("a publisher enters a whole notice by keyboard, corrects all errors, and sees the preview", async ({
  page,
}) => {
  const title = `Hostel ${uniqueWord()}`;
  await registerSupplier(page);
  await page.goto("/supplier/add-tender");
  await page.getByLabel("Title").fill(title);
  // Enter checks the step. The list of the steps leads on with errors too.
  await page.keyboard.press("Enter");
  const summary = page.getByRole("main").getByRole("alert");
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("button")).toHaveText([
    "Description is required",
    "Reference number is required",
    "Category is required",
  ]);
  await openStep(page, "Who may bid");
  await page.getByRole("button", { name: "Add a grade" }).click();
  await page.getByLabel("CIDA grade").selectOption("C5");
  await page.getByLabel("Other grades that may bid").selectOption("This grade or above");
  await page.getByLabel("Field of work").fill("Building construction");
  await openStep(page, "Money and documents");
  await page.getByLabel("Bid security").first().fill("240,000");
  await page.getByLabel("Bid security given as").selectOption("Rupees");
  await page.getByLabel("Document fee").fill("much");
  await page.getByLabel("On sale from").fill("2098-12-01");
  await page.getByLabel("On sale until").fill("2099-02-10");
  await page.getByLabel("Place of sale").fill("Shroff counter");
  await openStep(page, "Dates and places");
  await page.getByLabel("Closing date").fill("2099-01-31");
  await page.getByLabel("Closing hour").fill("14:00");
  await page.getByLabel("Meeting date").fill("2099-01-10");
  await page.getByLabel("Meeting hour").fill("10:00");
  await page.getByLabel("Meeting place").fill("Head office");
  const ways = page.getByRole("group", { name: "Ways of delivery" });
  await ways.getByLabel("Sealed envelope").check();
  await ways.getByLabel("Tender box").check();
  await page.getByLabel("Place of delivery").fill("Room 4, Head office");
  await publishTender(page);

  await expect(summary).toBeFocused();
  await expect(summary.getByRole("button")).toHaveText([
    "Description is required",
    "Reference number is required",
    "Category is required",
    "Document fee: Enter a number, such as 2.5",
    "On sale until: The last day of sale cannot be after the closing date",
    "Province is required",
    "District is required",
  ]);
  const steps = page.getByRole("navigation", { name: "Steps" });
  await expect(steps.getByRole("button", { name: /has errors$/ })).toHaveCount(3);
  await summary.getByRole("button", { name: /^Document fee/ }).press("Enter");
  await expect(page.getByLabel("Document fee")).toBeFocused();
  await page.getByLabel("Document fee").fill("3500");
  await summary.getByRole("button", { name: /^On sale until/ }).press("Enter");
  await page.getByLabel("On sale until").fill("2099-01-30");
  await summary.getByRole("button", { name: /^Description/ }).press("Enter");
  await expect(page.getByLabel("Description")).toBeFocused();
  await fillTenderForm(page, title);
  await expect(summary).toBeHidden();
  await openStep(page, "What is bought");
  // Enter leads to the next step.
  await page.getByLabel("Title").press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: "Who may bid" })).toBeFocused();
  await openStep(page, "What is bought");
  await page.getByLabel("Procurement method").selectOption("NCB");
  for (const [at, lot] of ["Dormitory", "Canteen"].entries()) {
    await page.getByRole("button", { name: "Add a lot" }).click();
    const row = page.getByRole("group", { name: `Lot ${at + 1}` });
    await row.getByLabel("Number").fill(String(at + 1));
    await row.getByLabel("Subject").fill(lot);
  }
  await page.getByRole("group", { name: "Lot 1" }).getByLabel("Bid security").first().fill("140000");

  await openStep(page, "Preview");
  const shown = page.getByRole("article", { name: title });
  for (const text of [
    "C5 or above (Building construction)",
    "LKR 240,000",
    "LKR 3,500",
    "Head office",
    "in a sealed envelope, into the tender box",
    "Room 4, Head office",
    "Shroff counter",
    "NCB",
  ]) {
    await expect(shown).toContainText(text);
  }
  const secondLot = { name: /^2 Canteen/ };
  await expect(shown.getByRole("row", secondLot)).toBeVisible();
  const previewed = await shown.locator("dd").allTextContents();
  await page.getByRole("button", { name: "Publish Tender" }).click();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);

  // Readers see what the preview showed, apart from the status.
  await page.getByRole("main").getByRole("link", { name: title, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  const details = page.getByRole("main").getByRole("article").first();
  await expect(details.getByRole("row", secondLot).first()).toBeVisible();
  expect(previewed).toContain("Draft");
  // "May I bid?" has some of the facts, and the list of fields the others.
  for (const fact of previewed) await expect(details).toContainText(fact === "Draft" ? "Published" : fact);
  await withdrawTender(page, title);
});

test("a guest who opens the tender form is sent to sign-in", async ({ page }) => {
  await page.goto("/supplier/add-tender");
  await expect(page).toHaveURL(/\/login$/);
});
