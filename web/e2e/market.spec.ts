// Bodies that invite bids and the market: anybody finds a body, its tenders and its figures.

import { expect, expectNoViolationsInBothThemes, test, uniqueWord } from "./fixtures.ts";
import { putNotice } from "./notices.ts";
import { createOperatorToken } from "./portal.ts";

/** Publishes a notice of a body, and returns the id of its tender. */
async function publishTender(token: string, title: string, body: string, bond: number): Promise<string> {
  const key = crypto.randomUUID().replaceAll("-", "");
  const notice = `---
title: ${title}
status: published
kind: purchase
language: en
category: Furniture
referenceNo: M/${key.slice(0, 8)}
organization:
  name: ${body}
location:
  district: Matara
financials:
  bidBond:
    required: true
    amount: ${bond}
dates:
  closing: 2098-12-27T14:00:00+05:30
source:
  publication: Daily ${uniqueWord()}
  date: 2026-11-19
  file: p1.jpg
  page: 1
  box: [0.1, 0.1, 0.2, 0.2]
---

${title}: sealed bids are invited.
`;
  return await putNotice(token, key, notice);
}

test("a tender leads to its body, its district and its sector", async ({ page }) => {
  const body = `Council of ${uniqueWord()} & ${uniqueWord()}`;
  const title = `Supply of ${uniqueWord()} chairs`;
  const token = await createOperatorToken();
  const tender = await publishTender(token, title, body, 25_000);

  await page.goto(`/tenders/${tender}`);
  await page.getByRole("main").getByRole("link", { name: body }).click();
  await expect(page.getByRole("heading", { level: 1, name: body })).toBeVisible();
  await expect(page.getByRole("link", { name: "1 open tender" })).toBeVisible();
  const open = page.getByRole("region", { name: "Open tenders" });
  await expect(open.getByRole("link", { name: title })).toBeVisible();
  const terms = page.getByRole("region", { name: "Terms in its notice" });
  await expect(terms).toContainText("Too few notices to tell what is usual:");
  await expect(terms).toContainText("LKR 25,000");
  // With one notice, there is neither a table nor a list of what it does not state.
  await expect(terms).not.toContainText("Not stated");
  await expect(page.getByText("Furniture · Matara")).toBeVisible();
  await expect(page.getByRole("link", { name: "Alert me about this body" })).toHaveAttribute(
    "href",
    new RegExp(encodeURIComponent(new URLSearchParams({ body }).toString()).replaceAll(".", "\\.")),
  );
  await expectNoViolationsInBothThemes(page);

  await page.getByRole("link", { name: "Matara" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Tenders in Matara District" })).toBeVisible();
  const next = page.getByRole("region", { name: "Open tenders, next closing first" });
  await expect(next.getByRole("listitem").first()).toBeVisible();
  await page.getByRole("combobox", { name: "Sector" }).selectOption("supply");
  await expect(page).toHaveURL(/\/market\?district=Matara&sector=supply$/);
  await page.getByRole("combobox", { name: "District" }).selectOption("");
  await expect(page).toHaveURL(/\/market\/sectors\/supply$/);
  await page.getByRole("link", { name: "The whole market" }).click();
  await expect(page.getByRole("region", { name: "Short notices" })).toContainText("21 days");
  await expectNoViolationsInBothThemes(page);
});

test("bodies are searched, and an unknown one leads to a search for its name", async ({ page }) => {
  const word = uniqueWord();
  const token = await createOperatorToken();
  await publishTender(token, `Supply of ${uniqueWord()} desks`, `Board of ${word}`, 10_000);

  await page.goto("/buyers");
  // The list can be a minute old.
  await expect(async () => {
    await page.goto("/buyers");
    await page.getByRole("searchbox", { name: "Name of a body" }).fill(word.slice(0, -1));
    await page.getByRole("searchbox", { name: "Name of a body" }).press("Enter");
    await expect(page.getByRole("row")).toHaveCount(2, { timeout: 2000 });
  }).toPass({ timeout: 90_000 });
  await expect(page.getByRole("navigation", { name: "Pages about the market" })).toBeVisible();
  await page.getByRole("link", { name: `Board of ${word}` }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Board of ${word}` })).toBeVisible();

  const response = await page.goto("/buyers/board-of-atlantis");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 2, name: "No page for this body" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Find tenders by this name" })).toHaveAttribute(
    "href",
    "/tenders?search=board+of+atlantis",
  );
});
