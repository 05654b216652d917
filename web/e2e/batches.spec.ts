// Batches of notices: an administrator withdraws the issue of a newspaper, a reader gets one mail, and
// the withdrawal is undone.

import type { APIRequestContext } from "@playwright/test";
import {
  expect,
  expectNoViolations,
  expectNoViolationsInBothThemes,
  startSession,
  test,
  uniqueWord,
} from "./fixtures.ts";
import { putNotice } from "./notices.ts";
import { createOperatorToken, PASSWORD } from "./portal.ts";

const READER = "professional@demo.test";

/** Publishes a notice of this newspaper, and returns the id of its tender. */
async function publish(token: string, publication: string, title: string): Promise<string> {
  const key = crypto.randomUUID().replaceAll("-", "");
  const notice = `---
title: ${title}
status: published
kind: purchase
language: en
referenceNo: B/${key.slice(0, 8)}
organization:
  name: Council of ${uniqueWord()}
dates:
  closing: 2098-12-27T14:00:00+05:30
source:
  publication: ${publication}
  date: 2026-11-19
  file: p1.jpg
  page: 1
  box: [0.1, 0.1, 0.2, 0.2]
---

${title}: sealed bids are invited.
`;
  return await putNotice(token, key, notice);
}

/** The mails to the reader about this newspaper's tenders whose subject begins so. */
async function mailsTo(request: APIRequestContext, title: string, subject: string): Promise<string[]> {
  type Mail = { to: string[]; subject: string; text: string; html: string };
  const mails = (await (await request.get("/dev/mail.json")).json()) as Mail[];
  return mails
    .filter(
      (mail) => mail.to.includes(READER) && mail.subject.startsWith(subject) && mail.text.includes(title),
    )
    .map(({ text }) => text);
}

test("an issue is withdrawn, its reader gets one mail, and the undo publishes it again", async ({
  page,
  request,
}) => {
  const mark = uniqueWord();
  const [publication, first, second] = [`Gazette ${mark}`, `Culvert works ${mark}`, `Paper supplies ${mark}`];
  const token = await createOperatorToken();
  const tenders = [await publish(token, publication, first), await publish(token, publication, second)];
  const login = await request.post("/api/auth/login", { data: { email: READER, password: PASSWORD } });
  const headers = { authorization: `Bearer ${(await login.json()).data.token}` };
  for (const tender of tenders) {
    expect((await request.put(`/api/saved/tenders/${tender}`, { headers })).ok()).toBe(true);
  }

  await startSession(page, "admin@demo.test");
  await page.goto("/operate/pages");
  await page.getByRole("link", { name: "Withdrawn batches" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Withdrawn batches" })).toBeVisible();
  await page.getByRole("link", { name: "Withdraw a batch…" }).click();
  await expectNoViolationsInBothThemes(page);
  await page.getByLabel("Newspaper").fill(publication);
  await page.getByLabel("Issue date").fill("2026-11-20");
  await expect(page.getByText("This batch has no notice that can be withdrawn")).toBeVisible();
  await page.getByLabel("Issue date").fill("2026-11-19");
  const preview = page.getByRole("region", { name: "What will happen" });
  const numberOf = (label: string) => preview.locator("div").filter({ hasText: label }).last();
  await expect(numberOf("Notices to reject")).toContainText("2");
  await expect(numberOf("Tenders to withdraw")).toContainText("2");
  await expect(numberOf("Readers to mail")).toContainText("1");
  await expect(preview.getByRole("link", { name: "Look at the pages of this batch" })).toHaveAttribute(
    "href",
    `/operate/pages?${new URLSearchParams({ publication, date: "2026-11-19" })}`,
  );
  await expectNoViolationsInBothThemes(page);
  await page.getByRole("button", { name: "Withdraw 2 notices" }).click();
  await expect(page.getByText("Please give a reason")).toBeVisible();
  await page.getByLabel("Reason").fill("Wrong issue date");
  await page.getByRole("button", { name: "Withdraw 2 notices" }).click();

  await expect(page).toHaveURL(/\/operate\/batches\/[0-9a-f-]{36}$/);
  await expect(
    page.getByRole("heading", { level: 1, name: `Withdrawal: ${publication}, Thu 19 Nov 2026` }),
  ).toBeVisible();
  const state = page.getByRole("main").getByRole("status").first();
  await expect(state).toHaveText("Withdrawn", { timeout: 20_000 });
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.locator("div").filter({ hasText: "Readers mailed" }).last()).toContainText("1");
  await expect(page.getByText("Reason: Wrong issue date")).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoViolations(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const tender of tenders) expect((await request.get(`/api/tenders/${tender}`)).status()).toBe(404);
  await expect.poll(async () => (await mailsTo(request, first, "Withdrawn: ")).length).toBe(1);
  const [mail = ""] = await mailsTo(request, first, "Withdrawn: ");
  expect(mail).toContain(second);
  expect(mail).not.toContain("Wrong issue date");

  await page.getByRole("button", { name: "Undo the withdrawal…" }).click();
  await expectNoViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
  await expect(state).toHaveText("Undone", { timeout: 20_000 });
  for (const tender of tenders) expect((await request.get(`/api/tenders/${tender}`)).status()).toBe(200);
  await expect.poll(async () => (await mailsTo(request, first, "Open again: ")).length).toBe(1);
  expect((await mailsTo(request, first, "Withdrawn: ")).length).toBe(1);

  // Later tests see only the other newspapers.
  await page.goto(`/operate/batches/new?publication=${encodeURIComponent(publication)}&date=2026-11-19`);
  await page.getByLabel("Reason").fill("End of the test");
  await page.getByRole("button", { name: "Withdraw 2 notices" }).click();
  await expect(state).toHaveText("Withdrawn", { timeout: 20_000 });
  await page.getByRole("link", { name: "Withdrawn batches" }).click();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: publication });
  await expect(row).toHaveCount(2);
  await expect(row.first()).toContainText("End of the test");
  await expectNoViolationsInBothThemes(page);
});

test("the menu of a page leads to the withdrawal of its file", async ({ page }) => {
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/pages");
  const name = `${crypto.randomUUID()}.pdf`;
  const file = { name, mimeType: "application/pdf", buffer: Buffer.from(`%PDF-1.7 ${name}`) };
  await page.getByLabel("Choose files").setInputFiles(file);
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: name });
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Withdraw the notices of this file…" }).click();
  await expect(page).toHaveURL(/\/operate\/batches\/new\?file=/);
  await expect(page.getByText(name)).toBeVisible();
  await expect(page.getByText("This batch has no notice that can be withdrawn")).toBeVisible();
  await page.getByRole("link", { name: "Look at the pages of this batch" }).click();
  await expect(page.getByText(`Only pages of ${name}`)).toBeVisible();
  await expect(page.getByRole("main").getByRole("list").last().getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "Show all files" }).click();
  await expect(page.getByText(`Only pages of ${name}`)).toBeHidden();
});
