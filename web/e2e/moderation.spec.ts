// What administrators decide about tenders: the check of a new publisher's first publication, and
// taking tenders down.

import type { Page } from "@playwright/test";
import {
  expect,
  expectNoViolations,
  expectNoViolationsInBothThemes,
  type OpenPage,
  registerSupplier,
  startSession,
  test,
  uniqueWord,
} from "./fixtures.ts";
import { Portal } from "./portal.ts";
import { fillTenderForm, openStep, publishTender } from "./tenderForm.ts";

/** Opens a page with the session of a user, on a server with this address. */
async function openAs(openPage: OpenPage, baseURL: string, email: string): Promise<Page> {
  const page = await openPage({ baseURL });
  await startSession(page, email);
  return page;
}

/** Enters a complete tender in the form and publishes it. */
async function publish(page: Page, title: string): Promise<void> {
  await page.goto("/supplier/add-tender");
  await fillTenderForm(page, title, "Two hundred, of wood, delivered to the school within six weeks.");
  await publishTender(page);
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
}

test("a new publisher's tender waits, is refused, corrected and approved", async ({ page, openPage }) => {
  test.slow();
  const email = await registerSupplier(page);
  const title = `Supply of ${uniqueWord()} chairs`;
  // The demonstration checks nothing, so a second server does.
  const second = await Portal.startSecond({ HOLD_FIRST_PUBLICATION: "true" });
  try {
    const supplier = await openAs(openPage, second.address, email);
    await publish(supplier, title);
    await expect(supplier.getByText("Your tender waits for a check by the portal")).toBeVisible();
    const row = supplier
      .getByRole("list", { name: "My Tenders" })
      .getByRole("listitem")
      .filter({ hasText: title });
    await expect(row.getByText("Waits for a check by the portal")).toBeVisible();
    await row.getByRole("link", { name: title, exact: true }).click();
    await expect(supplier.getByText("We check the first tender of each new publisher")).toBeVisible();
    await expectNoViolationsInBothThemes(supplier);
    const tender = new URL(supplier.url()).pathname;
    await supplier.goto("/supplier/dashboard");
    await row.getByRole("link", { name: `Edit ${title}` }).click();
    await openStep(supplier, "Dates and places");
    await supplier.getByLabel("City").fill("Weligama");
    await supplier.getByRole("button", { name: "Save changes" }).click();
    await expect(supplier).toHaveURL(/\/supplier\/dashboard$/);
    await expect(row.getByText("Waits for a check by the portal")).toBeVisible();

    const admin = await openAs(openPage, second.address, "admin@demo.test");
    await admin.goto("/operate/users");
    await admin.getByRole("link", { name: /^Publications \d+ waiting$/ }).click();
    await expect(admin.getByRole("heading", { level: 1, name: "Publications" })).toBeVisible();
    const entry = admin.getByRole("main").getByRole("article").filter({ hasText: title });
    await expect(entry).toContainText("Fernando Works");
    await expect(entry).toContainText("example.lk");
    await expect(entry).toContainText("Weligama");
    await expectNoViolationsInBothThemes(admin);
    await entry.getByRole("button", { name: "Refuse…" }).click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByRole("button", { name: "Refuse" }).click();
    await expect(dialog.getByText("Please give a reason")).toBeVisible();
    await dialog.getByLabel("Reason").fill("Please name the school that buys the chairs");
    await expectNoViolations(admin);
    await dialog.getByRole("button", { name: "Refuse" }).click();
    await expect(dialog).toBeHidden();
    await expect(entry).toHaveCount(0);

    await supplier.reload();
    await expect(row.getByText("Not published", { exact: true })).toBeVisible();
    await expect(row).toContainText("Please name the school that buys the chairs");
    await row.getByRole("link", { name: `Edit ${title}` }).click();
    await expect(supplier.getByText("You can correct the draft and submit it again.")).toBeVisible();
    await supplier.getByLabel("Description").fill("Two hundred, of wood, for Weligama Central College.");
    await publishTender(supplier);
    await expect(row.getByText("Waits for a check by the portal")).toBeVisible();

    await admin.reload();
    await entry.getByRole("button", { name: "Approve and publish" }).click();
    await expectNoViolations(admin);
    await dialog.getByRole("button", { name: "Publish" }).click();
    // While the dialog is open, nothing else is accessible.
    await expect(dialog).toBeHidden();
    await expect(entry).toHaveCount(0);

    await supplier.reload();
    await expect(row.getByText("Live")).toBeVisible();
    const guest = await openPage({ baseURL: second.address });
    await guest.goto(tender);
    await expect(guest.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(guest.getByText("Published by the organisation itself")).toBeVisible();
    // The following tests see only the newspapers' tenders.
    await row.getByRole("button", { name: `More for ${title}` }).click();
    await supplier.getByRole("menuitem", { name: "Withdraw" }).click();
    await supplier.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await expect(row.getByText("Withdrawn", { exact: true })).toBeVisible();
  } finally {
    await second.portal.stop();
  }
});

test("an administrator takes a tender down, and its publisher sees why", async ({ page, openPage }) => {
  const supplier = await openPage();
  await registerSupplier(supplier);
  const title = `Supply of ${uniqueWord()} desks`;
  await publish(supplier, title);
  const row = supplier
    .getByRole("list", { name: "My Tenders" })
    .getByRole("listitem")
    .filter({ hasText: title });
  await row.getByRole("link", { name: title, exact: true }).click();
  await expect(supplier.getByRole("heading", { level: 1, name: title })).toBeVisible();
  const tender = new URL(supplier.url()).pathname;

  await startSession(page, "admin@demo.test");
  await page.goto(tender);
  const menu = page.getByRole("button", { name: "Administrator's actions" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Trace" }).click();
  await expect(page.getByText(/Revision 1,/)).toBeVisible();
  await menu.click();
  await page.getByRole("menuitem", { name: "Take down…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Take down" }).click();
  await expect(dialog.getByText("Please give a reason")).toBeVisible();
  await dialog.getByLabel("Reason").fill("It copies a tender of another organisation");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: "Take down" }).click();
  await expect(page.getByText("Only its publisher and administrators can see it.")).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await menu.click();
  await page.getByRole("menuitem", { name: "Show in audit log" }).click();
  const entry = page.getByRole("main").getByRole("listitem");
  await expect(entry.first()).toContainText("Took a tender down");
  await expect(entry.first()).toContainText("It copies a tender of another organisation");

  const guest = await openPage();
  await guest.goto(tender);
  await expect(guest.getByText(title)).toHaveCount(0);
  await supplier.goto("/supplier/dashboard");
  await expect(row.getByText("Taken down by the portal")).toBeVisible();
  await expect(row).toContainText("It copies a tender of another organisation");
  await expect(row.getByRole("link", { name: `Edit ${title}` })).toHaveCount(0);
  await expectNoViolations(supplier);
  await row.getByRole("link", { name: title, exact: true }).click();
  await expect(supplier.getByText("it cannot be published again")).toBeVisible();

  await page.goto(tender);
  await menu.click();
  await page.getByRole("menuitem", { name: "Put back…" }).click();
  await dialog.getByRole("button", { name: "Put back" }).click();
  await expect(page.getByText("Taken down by the portal")).toHaveCount(0);
  await guest.reload();
  await expect(guest.getByRole("heading", { level: 1, name: title })).toBeVisible();
  // The following tests see only the newspapers' tenders.
  await supplier.goto("/supplier/dashboard");
  await row.getByRole("button", { name: `More for ${title}` }).click();
  await supplier.getByRole("menuitem", { name: "Withdraw" }).click();
  await supplier.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await expect(row.getByText("Withdrawn", { exact: true })).toBeVisible();
});
