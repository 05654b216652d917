// Reports: building, previewing, downloading, saving, and monthly mails.

import { readFile } from "node:fs/promises";
import type { Download } from "@playwright/test";
import { expect, expectNoViolations, startSession, test } from "./fixtures.ts";
import { readSheets } from "./workbook.ts";

async function bytesOf(download: Promise<Download>): Promise<{ name: string; bytes: Buffer }> {
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test("a report is built, downloaded in both formats, saved and mailed each month", async ({
  page,
  stats,
}) => {
  await startSession(page, "enterprise@demo.test");
  await page.goto("/account/team");
  await page.getByRole("link", { name: "Open reports" }).click();
  await expect(page.getByRole("heading", { name: "Reports", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "New report" }).click();

  const builder = page.getByRole("form", { name: "New report" });
  const preview = builder.getByRole("region", { name: "Preview" });
  // All notices were published to the portal just now, so they are in the report of this month.
  await expect(preview.getByRole("status")).toContainText(`${stats.totalTenders} tenders`);
  await builder.getByLabel("Words").fill("road");
  await builder.getByLabel("Words").press("Enter");
  await expect(preview.getByRole("status")).not.toContainText(`${stats.totalTenders} tenders`);
  const statusText = await preview.getByRole("status").textContent();
  const count = Number(/^(\d+) tender/.exec(statusText ?? "")?.[1]);
  expect(count).toBeGreaterThan(1);

  await builder.getByRole("button", { name: "Leave out Estimated value" }).click();
  await builder.getByRole("button", { name: "Status" }).click();
  await builder.getByRole("button", { name: "Move Title up" }).click();
  const heads = preview.getByRole("columnheader");
  const columns = ["Title", "Reference", "Organisation", "Category", "District", "Closing", "Link", "Status"];
  await expect(heads).toHaveText(columns);
  await expect(preview.getByRole("row")).toHaveCount(Math.min(count, 20) + 1);
  await expectNoViolations(page);

  await builder.getByLabel("Name").fill("Roads of the month");
  const csv = bytesOf(page.waitForEvent("download"));
  await builder.getByRole("button", { name: "CSV" }).click();
  const { name, bytes } = await csv;
  expect(name).toMatch(/^roads-of-the-month-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.csv$/);
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const text = bytes.subarray(3).toString();
  expect(text.split("\r\n")[0]).toBe([...columns, "Not certain"].join(","));
  expect(text.match(/\/tenders\/[0-9a-f-]{36},/g)).toHaveLength(count);

  const xlsx = bytesOf(page.waitForEvent("download"));
  await builder.getByRole("button", { name: "Excel" }).click();
  const [tenders, totals] = readSheets((await xlsx).bytes);
  expect(tenders).toMatchObject({ name: "Tenders", isFiltered: true, isFrozen: true });
  expect(tenders?.rows[0]).toEqual([...columns, "Not certain"]);
  expect(tenders?.rows).toHaveLength(count + 1);
  expect(totals?.rows[0]).toEqual(["Roads of the month"]);
  expect(totals?.rows.find(([head]) => head === "All tenders")?.[1]).toBe(String(count));

  await builder.getByRole("button", { name: "Save the report" }).click();
  await expect(builder).toBeHidden();
  const saved = page.getByRole("region", { name: "Saved reports" });
  await expect(saved.getByRole("listitem")).toHaveCount(1);
  const monthly = saved.getByRole("switch", { name: "E-mail “Roads of the month” on the 1st of each month" });
  await expect(monthly).not.toBeChecked();
  await monthly.click();
  await expect(monthly).toBeChecked();
  await page.reload();
  await expect(monthly).toBeChecked();
  await expectNoViolations(page);

  await saved.getByRole("button", { name: "Roads of the month", exact: true }).click();
  const again = page.getByRole("form", { name: "Roads of the month" });
  await expect(again.getByLabel("Words")).toHaveValue("road");
  await again.getByLabel("Name").fill("Roads");
  await again.getByRole("button", { name: "Save the changes" }).click();
  await saved.getByRole("button", { name: "More for Roads" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(saved).toContainText("No reports saved yet");
});

test("an Enterprise subscriber sees the account manager, a Professional one what Enterprise offers", async ({
  page,
}) => {
  await startSession(page, "enterprise@demo.test");
  await page.goto("/account/team");
  const manager = page.getByRole("region", { name: "Your account manager" });
  await expect(manager).toContainText("Manager Demo");
  await expect(manager.getByRole("link", { name: "manager@demo.test" })).toHaveAttribute(
    "href",
    "mailto:manager@demo.test",
  );
  await expect(manager.getByRole("link", { name: "+94 11 000 0000" })).toHaveAttribute(
    "href",
    "tel:+94110000000",
  );

  await page.evaluate(() => localStorage.clear());
  await startSession(page, "professional@demo.test");
  await page.goto("/account/team");
  await expect(page.getByText("A team and API keys are part of Enterprise.")).toBeVisible();
  await expect(manager).toBeHidden();
  const sections = page.getByRole("navigation", { name: "Your account" });
  await expect(sections.getByRole("link", { name: "Company" })).toBeVisible();
  await expect(sections.getByRole("link", { name: "Team and programs" })).toBeHidden();
  await page.goto("/reports");
  await expect(page.getByRole("heading", { name: "Reports are part of Enterprise" })).toBeVisible();
});

// Screenshots of the report builder, for a review. The page must not be wider than its window.
for (const [name, width, height] of [
  ["wide", 1280, 1000],
  ["phone", 390, 844],
] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`the report builder fits a ${name} window, ${colorScheme}`, async ({ page, stats }, testInfo) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ reducedMotion: "reduce", colorScheme });
      await startSession(page, "enterprise@demo.test");
      await page.goto("/reports");
      await page.getByRole("button", { name: "New report" }).click();
      const preview = page.getByRole("region", { name: "Preview" });
      await expect(preview.getByRole("status")).toContainText(`${stats.totalTenders} tenders`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, "wider than its window").toBeLessThanOrEqual(0);
      const picture = testInfo.outputPath(`reports-${name}-${colorScheme}.png`);
      await page.screenshot({ path: picture, fullPage: true });
    });
  }
}
