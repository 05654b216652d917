// Steps of users in the form for a tender.

import { expect, type Page } from "@playwright/test";

/** The steps of the form, in their order. */
export const FORM_STEPS = [
  "What is bought",
  "Who may bid",
  "Money and documents",
  "Dates and places",
  "Attachments",
  "Preview",
] as const;

/** Opens a step of the form. */
export async function openStep(page: Page, step: (typeof FORM_STEPS)[number]): Promise<void> {
  await page
    .getByRole("navigation", { name: "Steps" })
    .getByRole("button", { name: new RegExp(`^${step}`) })
    .click();
  await expect(page.getByRole("heading", { level: 2, name: step })).toBeFocused();
}

/** Enters everything that publishing requires. The step of the dates stays open. */
export async function fillTenderForm(
  page: Page,
  title: string,
  description = "Two hundred, of wood.",
): Promise<void> {
  await openStep(page, "What is bought");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Description").fill(description);
  await page.getByLabel("Reference number").fill("FW/1");
  await page.getByLabel("Category", { exact: true }).selectOption("Furniture");
  await openStep(page, "Dates and places");
  await page.getByLabel("Province").selectOption("Southern");
  await page.getByLabel("District").selectOption("Matara");
  await page.getByLabel("Closing date").fill("2099-01-31");
}

/** Publishes the tender of the form in its last step. */
export async function publishTender(page: Page): Promise<void> {
  await openStep(page, "Preview");
  await page.getByRole("button", { name: "Publish Tender" }).click();
}
