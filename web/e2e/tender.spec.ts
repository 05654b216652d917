// What a reader does on a tender's page besides reading: follow its history, take it along, report a mistake.

import { readFile } from "node:fs/promises";
import { expect, expectNoViolations, registerSupplier, test, withdraw } from "./fixtures.ts";

test("an edit is told with what was before, and a reader takes the closing along and reports a mistake", async ({
  page,
  browser,
}) => {
  const title = `Desks ${crypto.randomUUID().slice(0, 8)}`;
  await registerSupplier(page);
  await page.goto("/supplier/add-tender");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Description").fill("Forty, of wood.");
  await page.getByLabel("Reference number").fill("FW/2");
  await page.getByLabel("Category", { exact: true }).selectOption("Furniture");
  await page.getByLabel("Province").selectOption("Southern");
  await page.getByLabel("District").selectOption("Matara");
  await page.getByLabel("Closing date").fill("2099-01-31");
  await page.getByRole("button", { name: "Publish Tender" }).click();
  await page.getByRole("link", { name: `Edit ${title}` }).click();
  await page.getByLabel("Closing date").fill("2099-02-28");
  const address = new URL(page.url()).pathname.replace("/supplier", "").replace("/edit", "");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Tender updated successfully")).toBeVisible();

  const guest = await (await browser.newContext()).newPage();
  await guest.goto(address);
  const history = guest.getByRole("listitem").filter({ hasText: "changed by its publisher" });
  await expect(history.locator("del")).toContainText("Sat 31 Jan 2099");
  await expect(history.locator("ins")).toContainText("Sat 28 Feb 2099");
  const download = guest.waitForEvent("download");
  await guest.getByRole("link", { name: "Add to calendar" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^tender-.*\.ics$/);
  expect(await readFile(await file.path(), "utf8")).toContain(`SUMMARY:Closes: ${title}`);

  await guest.getByRole("button", { name: "Report a mistake" }).click();
  const dialog = guest.getByRole("dialog", { name: "Report a mistake" });
  await dialog.getByLabel("What is wrong?").fill("It closes in March.");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(dialog).toContainText("Name is required");
  await expectNoViolations(guest);
  await dialog.getByLabel("Your name").fill("Kamala");
  await dialog.getByLabel("Your e-mail, for an answer").fill("kamala@example.lk");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(guest.getByText("Thank you. We will look at it.")).toBeVisible();
  await withdraw(page, title);
});
