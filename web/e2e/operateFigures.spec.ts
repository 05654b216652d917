// The figures of the portal: cards, the figure in detail with its table and download, and the lists.

import { readFile } from "node:fs/promises";
import { expect, expectNoViolationsInBothThemes, registerSupplier, startSession, test } from "./fixtures.ts";

test("an administrator opens a figure by keyboard, reads its numbers, and downloads them", async ({
  page,
  openPage,
}) => {
  await registerSupplier(await openPage());
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/users");
  const scripts: string[] = [];
  page.on("response", (reply) => {
    if (reply.request().resourceType() === "script") scripts.push(reply.url());
  });
  await page.getByRole("navigation", { name: "Operate" }).getByRole("link", { name: "Figures" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Figures" })).toBeVisible();
  for (const group of ["Reading", "Alerts and mail", "Readers", "Money", "Queues"])
    await expect(page.getByRole("heading", { level: 2, name: group })).toBeVisible();
  await expect(page.getByRole("button", { name: "Churn" })).toBeVisible();
  await expect(page.locator("svg.recharts-surface").first()).toBeVisible();
  expect(scripts.some((url) => url.includes("FiguresPage"))).toBe(true);
  await expectNoViolationsInBothThemes(page);

  const card = page.getByRole("listitem").filter({ hasText: "New users" });
  await expect(card).toContainText("in 90 days");
  await card.getByRole("button", { name: "New users" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New users" });
  await expect(dialog).toContainText("without demonstration accounts");
  await expect(page).toHaveURL(/figure=new-users/);
  const rows = dialog.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(91);
  const today = Number(await rows.nth(1).getByRole("cell").textContent());
  expect(today).toBeGreaterThan(0);
  await expectNoViolationsInBothThemes(page);

  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download as CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^new-users-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
  expect(lines[0]).toBe("day,new-users (count)");
  expect(lines).toHaveLength(91);
  expect(lines.at(-1)).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d,${today}$`));

  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/operate\/figures$/);
});

test("a queue links to its page, and an earlier last day has no present queue", async ({ page }) => {
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/figures");
  const queue = page.getByRole("listitem").filter({ hasText: "Oldest open message" });
  await expect(queue.getByRole("link", { name: /\d+ waiting.*Oldest open message/ })).toBeVisible();
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("Last day").fill(day);
  await expect(page).toHaveURL(new RegExp(`to=${day}`));
  await expect(queue.getByRole("link")).toHaveCount(0);
  await expect(queue).toContainText("Not known");
  await page.goBack();
  await page.goto("/operate/figures");
  await queue.getByRole("link", { name: /waiting/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Messages" })).toBeVisible();
});

test("a figure that cannot be loaded says why, and fits on a phone", async ({ page }) => {
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/figures?to=2999-01-01");
  await expect(page.getByRole("alert")).toContainText("Choose a day that is not in the future");
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto("/operate/figures?figure=matches");
  const dialog = page.getByRole("dialog", { name: "Matches" });
  await expect(dialog.getByRole("table")).toBeVisible();
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await overflow()).toBe(0);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("button", { name: "Matches" })).toBeVisible();
  expect(await overflow()).toBe(0);
  await expectNoViolationsInBothThemes(page);
});
