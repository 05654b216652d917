// Coverage: an operator says which newspapers are expected, sees a gap, and closes it.

import type { Page } from "@playwright/test";
import {
  expect,
  expectNoViolationsInBothThemes,
  registerSupplier,
  startSession,
  test,
  uniqueWord,
} from "./fixtures.ts";

/** The day in Colombo that is `count` days after today, as in 2026-11-20. */
function day(count: number): string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Colombo" });
  return format.format(Date.now() + count * 86_400_000);
}

/** A day as the page shows it. */
function shown(day: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
  });
  return format.format(new Date(`${day}T00:00:00Z`)).replace(",", "");
}

const operateLink = (page: Page, name: string | RegExp) =>
  page.getByRole("navigation", { name: "Operate" }).getByRole("link", { name });

const view = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Views" }).getByRole("link", { name });

test("an operator expects a newspaper, sees its gap, and closes it", async ({ page }) => {
  test.slow();
  const name = `Gazette ${uniqueWord()}`;
  const cell = (on: string) => page.getByRole("button", { name: new RegExp(`^${name}, ${shown(on)}: `) });
  const [yesterday, today] = [day(-1), day(0)];
  await startSession(page, "reviewer@demo.test");
  await page.goto("/operate/review");
  await operateLink(page, /^Coverage/).click();
  await expect(page.getByRole("heading", { level: 1, name: "Coverage" })).toBeVisible();

  await view(page, "Expected newspapers").click();
  await page.getByRole("button", { name: "Add newspaper" }).click();
  const form = page.getByRole("dialog", { name: "Add newspaper" });
  await form.getByLabel("Expected by").fill("");
  await form.getByRole("button", { name: "Add newspaper" }).click();
  await expect(form.getByText("Please enter the name")).toBeVisible();
  await expect(form.getByText("Please enter the hour")).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await form.getByLabel("Name", { exact: true }).fill(name);
  await form.getByLabel("Other spellings (optional)").fill(`The ${name}`);
  await form.getByRole("button", { name: "Add: Other spellings" }).click();
  // The first minute of the day has passed, so the issues of yesterday and today are missing.
  await form.getByLabel("Expected by").fill("00:00");
  await form.getByLabel("Expected from").fill(yesterday);
  await form.getByRole("button", { name: "Add newspaper" }).click();
  await expect(form).toBeHidden();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: name }).first();
  await expect(row).toContainText("Every day, by 00:00");
  await expect(row).toContainText(`Also spelled The ${name}`);
  await expectNoViolationsInBothThemes(page);

  await view(page, "Newspapers and days").click();
  await expect(cell(today)).toHaveAccessibleName(/Missing/);
  await expect(cell(yesterday)).toHaveAccessibleName(/Missing/);
  await expect(cell(day(-2))).toHaveAccessibleName(/Not expected/);
  await expect(page.getByRole("region", { name: "Gaps" })).toContainText(`${name}, ${shown(today)}`);
  await expect(operateLink(page, /^Coverage \d+ missing today$/)).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  // The arrow keys move between the cells. Enter opens the dialog about the issue.
  await cell(today).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(cell(yesterday)).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `${name}, ${shown(yesterday)}` });
  await expect(dialog).toContainText("Neither pages nor notices are here.");
  await dialog.getByLabel("Note").fill("The printers were on strike");
  await expectNoViolationsInBothThemes(page);
  await dialog.getByRole("button", { name: "It did not appear" }).click();
  await expect(cell(yesterday)).toHaveAccessibleName(/Did not appear/);
  await expect(dialog).toBeHidden();
  await cell(yesterday).click();
  await expect(dialog).toContainText("Noted: The printers were on strike");
  await page.keyboard.press("Escape");

  // A gap leads to the upload of its pages, and the pages lead back to the cell.
  await cell(today).click();
  const open = page.getByRole("dialog", { name: `${name}, ${shown(today)}` });
  await open.getByRole("link", { name: "Upload pages" }).click();
  await expect(page.getByLabel("Newspaper (optional)")).toHaveValue(name);
  await expect(page.getByLabel("Issue date (optional)")).toHaveValue(today);
  const bytes = Buffer.from(`%PDF-1.4\n%${crypto.randomUUID()}\n`);
  await page
    .getByLabel("Choose files")
    .setInputFiles({ name: `${name}.pdf`, mimeType: "application/pdf", buffer: bytes });
  const uploaded = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: `${name}.pdf` });
  await expect(uploaded.getByText("Waits")).toBeVisible();
  await page.goBack();
  await expect(cell(today)).toHaveAccessibleName(/Waits to be read, 1 page waits/);
  await cell(today).click();
  await open.getByRole("link", { name: "Show pages" }).click();
  await expect(page.getByText(`Only pages of ${name}`)).toBeVisible();
  await expect(uploaded).toHaveCount(1);
  await expectNoViolationsInBothThemes(page);
  await uploaded.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Forget page" }).click();
  await expect(uploaded).toHaveCount(0);

  // The days are in the address. On a phone, the newspapers stay in sight.
  await operateLink(page, /^Coverage/).click();
  await page.getByRole("link", { name: "Week earlier" }).click();
  await expect(page).toHaveURL(new RegExp(`from=${day(-20)}$`));
  await expect(page.getByText(`${shown(day(-20))} to ${shown(day(-7))}`)).toBeVisible();
  await page.getByRole("link", { name: "Last two weeks" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const rowHead = page.getByRole("rowheader", { name: new RegExp(name) });
  await rowHead.scrollIntoViewIfNeeded();
  await expect(rowHead).toBeInViewport();
  await expect(cell(today)).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectNoViolationsInBothThemes(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await view(page, "Expected newspapers").click();
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await expect(row).toContainText(`Paused from ${shown(today)}`);
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Change…" }).click();
  const change = page.getByRole("dialog", { name: `Change ${name}` });
  await change.getByLabel("Expected by").fill("06:30");
  await change.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("by 6.30 a.m.");
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText(name)).toHaveCount(0);
});

test("a newspaper that is not in the table is added from its row", async ({ page }) => {
  await startSession(page, "admin@demo.test");
  const name = `Evening Post ${uniqueWord()}`;
  await page.goto(`/operate/pages?${new URLSearchParams({ uploadTo: name, uploadDate: day(0) })}`);
  const buffer = Buffer.from(`%PDF-1.4\n%${crypto.randomUUID()}\n`);
  await page
    .getByLabel("Choose files")
    .setInputFiles({ name: `${name}.pdf`, mimeType: "application/pdf", buffer });
  const uploaded = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: `${name}.pdf` });
  await expect(uploaded.getByText("Waits")).toBeVisible();

  await operateLink(page, /^Coverage/).click();
  const head = page.getByRole("rowheader", { name: new RegExp(name) });
  await expect(head).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await head.getByRole("link", { name: `Add to the table: ${name}` }).click();
  const form = page.getByRole("dialog", { name: "Add newspaper" });
  await expect(form.getByLabel("Name", { exact: true })).toHaveValue(name);
  await page.keyboard.press("Escape");

  await operateLink(page, /^Pages/).click();
  await uploaded.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Forget page" }).click();
  await expect(uploaded).toHaveCount(0);
});

test("an operator edits the calendar of holidays", async ({ page }) => {
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/coverage/holidays?year=2026");
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Il Full Moon Poya Day" });
  await expect(row).toContainText("Tue 24 Nov 2026");
  await expectNoViolationsInBothThemes(page);
  await page.getByRole("link", { name: "2027" }).click();
  await expect(page).toHaveURL(/year=2027$/);
  await page.getByRole("button", { name: "Add day" }).click();
  const dialog = page.getByRole("dialog", { name: "Add day" });
  await dialog.getByLabel("Day").fill("2027-04-15");
  await dialog.getByLabel("Name").fill("Newspapers rest");
  await expectNoViolationsInBothThemes(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  const added = page.getByRole("main").getByRole("listitem").filter({ hasText: "Newspapers rest" });
  await expect(added).toContainText("No newspapers");
  // The grid marks the day by name.
  await page.goto("/operate/coverage?from=2027-04-10");
  const head = page.getByRole("columnheader", { name: "Thu 15 Apr 2027, Newspapers rest" });
  await expect(head).toBeVisible();
  await expect(
    page.getByRole("columnheader", { name: /^Tue 20 Apr 2027, Bak Full Moon Poya Day/ }),
  ).toBeVisible();
  await page.goBack();
  await added.getByRole("button", { name: /^Actions for Newspapers rest/ }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await expect(added).toHaveCount(0);
});

test("a supplier cannot see the coverage", async ({ page }) => {
  await registerSupplier(page);
  await page.goto("/operate/coverage");
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  const refused = await page.request.get("/api/operate/coverage");
  expect(refused.status()).toBe(401);
});
