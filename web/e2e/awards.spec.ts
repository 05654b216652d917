// Past awards: anybody searches them, and the page of a tender shows those like it with their spread.

import { expect, expectNoViolations, expectNoViolationsInBothThemes, test, uniqueWord } from "./fixtures.ts";
import { putNotice } from "./notices.ts";
import { address, createOperatorToken } from "./portal.ts";

/** Publishes a notice, and returns the id of its tender. */
async function publishTender(token: string, title: string): Promise<string> {
  const key = crypto.randomUUID().replaceAll("-", "");
  const notice = `---
title: ${title}
status: published
kind: purchase
language: en
referenceNo: A/${key.slice(0, 8)}
organization:
  name: Council of ${uniqueWord()}
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

/** Publishes a decision with one award. */
async function publishAward(token: string, title: string, winner: string, amount: number): Promise<void> {
  const passage = { start: 0, end: 5, words: "words" };
  const decision = {
    key: crypto.randomUUID(),
    title,
    decidedOn: "2018-03-20",
    decisionNumber: 5,
    sourceUrl: "https://cabinet.example/d?id=5",
    references: [],
    body: { name: "Ministry of Roads", passage },
    awards: [
      {
        winners: [{ name: winner, passage }],
        amounts: [{ amount, currency: "LKR", passage }],
        taxes: "excluded",
      },
    ],
  };
  const response = await fetch(`${address}/api/ingest/awards`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(decision),
  });
  expect(response.status, await response.clone().text()).toBe(201);
}

test("awards are searched, and shown beside a tender that is like them", async ({ page }) => {
  const [thing, place] = [uniqueWord(), uniqueWord()];
  const token = await createOperatorToken();
  for (const [index, amount] of [10_000_000, 20_000_000, 40_000_000].entries()) {
    await publishAward(
      token,
      `Construction of ${thing} ${index} at ${place}`,
      `${place} Builders Ltd`,
      amount,
    );
  }

  await page.goto("/awards");
  await page.getByRole("searchbox").fill(`${thing} builders`);
  await page.getByRole("searchbox").press("Enter");
  await expect(page).toHaveURL(new RegExp(`search=${thing}`));
  await expect(page.getByRole("article")).toHaveCount(3);
  const first = page.getByRole("article").first();
  await expect(first).toContainText(`${place} Builders Ltd`);
  await expect(first).toContainText("excluding taxes");
  await expect(first.getByRole("link", { name: /Cabinet decision 5/ })).toHaveAttribute(
    "href",
    "https://cabinet.example/d?id=5",
  );
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByRole("textbox", { name: "Amount from" }).fill("15,000,000");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.getByRole("article")).toHaveCount(2);
  await expectNoViolationsInBothThemes(page);

  const tender = await publishTender(token, `Building of ${thing} near ${place}`);
  await page.goto(`/tenders/${tender}`);
  const past = page.getByRole("region", { name: "Past awards like this" });
  await expect(past.getByRole("listitem")).toHaveCount(3);
  await expect(past).toContainText("half of them cost between LKR 15,000,000 and LKR 30,000,000");
  await past.getByText("The spread in numbers").click();
  await expect(past.getByRole("row", { name: /Median/ })).toContainText("LKR 20,000,000");
  await expectNoViolations(page);
});
