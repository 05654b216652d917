// The alerts of one subscriber: two digests of the same minute become one mail, and a corrigendum
// is mailed at once.

import type { APIRequestContext } from "@playwright/test";
import { expect, startSession, test, uniqueWord } from "./fixtures.ts";
import { createOperatorToken, PASSWORD } from "./portal.ts";

interface Mail {
  to: string[];
  subject: string;
  text: string;
}

/** Data that the server recognises as a JPEG. */
const CLIP = Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex");

const SUBSCRIBER = "professional@demo.test";

/** A minute in Colombo, as HH:MM, that begins in 40 to 100 seconds. */
function upcomingMinute(): string {
  const at = new Date(Date.now() + 100_000 - ((Date.now() + 40_000) % 60_000));
  return at.toLocaleTimeString("en-GB", { timeZone: "Asia/Colombo", hour: "2-digit", minute: "2-digit" });
}

function titleOf(word: string): string {
  return `Supply of ${word} to the hospital at Weligama`;
}

function noticeMarkdown(word: string, kind: string, closing: string): string {
  return `---
title: ${titleOf(word)}
kind: ${kind}
language: en
referenceNo: HSP/${word}/7
status: published
organization:
  name: Ministry of Health
dates:
  closing: ${closing}T14:00:00+05:30
source:
  publication: Daily Test
  date: 2026-11-20
  file: 2026-11-20/p1.jpg
  page: 1
  box: [0.1, 0.1, 0.2, 0.2]
---

Sealed bids are invited for the supply of ${word}.
`;
}

/** Signs in and returns the authorization header of the account. */
async function authorizationOf(
  request: APIRequestContext,
  email: string,
): Promise<{ authorization: string }> {
  const answer = await request.post("/api/auth/login", { data: { email, password: PASSWORD } });
  return { authorization: `Bearer ${(await answer.json()).data.token}` };
}

/**
 * Withdraws the tenders and deletes the alerts with `word`, because other tests use the newest
 * tenders and the subscriber's alerts.
 */
async function removeTendersAndAlerts(request: APIRequestContext, word: string): Promise<void> {
  const operator = await authorizationOf(request, "admin@demo.test");
  const found = await (await request.get(`/api/tenders?search=${word}`)).json();
  for (const { _id } of found.data.tenders) {
    const withdrawn = await request.put(`/api/tenders/${_id}`, {
      headers: operator,
      data: { status: "withdrawn" },
    });
    expect(withdrawn.ok(), await withdrawn.text()).toBe(true);
  }
  const subscriber = await authorizationOf(request, SUBSCRIBER);
  const alerts = await (await request.get("/api/alerts", { headers: subscriber })).json();
  for (const { _id, name } of alerts.data.alerts) {
    if (!name.includes(word)) continue;
    const deleted = await request.delete(`/api/alerts/${_id}`, { headers: subscriber });
    expect(deleted.ok(), await deleted.text()).toBe(true);
  }
}

const it = test.extend<{ word: string }>({
  /**
   * A word that occurs in no other tender. Tenders and alerts with the word are removed after the
   * test, even if the test fails.
   */
  word: async ({ request }, use) => {
    const word = `zinkel${uniqueWord()}`;
    await use(word);
    await removeTendersAndAlerts(request, word);
  },
});

it("digests of one minute become one mail, and a corrigendum is mailed at once", async ({
  page,
  request,
  stats,
  word,
}) => {
  it.setTimeout(180_000);
  expect(stats.totalTenders).toBeGreaterThan(0);
  const token = await createOperatorToken();
  const publish = async (kind: string, closing: string) => {
    const key = crypto.randomUUID().replaceAll("-", "");
    const answer = await request.put(`/api/ingest/notices/${key}`, {
      headers: { authorization: `Bearer ${token}` },
      multipart: {
        notice: {
          name: "notice.md",
          mimeType: "text/markdown",
          buffer: Buffer.from(noticeMarkdown(word, kind, closing)),
        },
        clip: { name: "clip.jpg", mimeType: "image/jpeg", buffer: CLIP },
      },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  const mails = async (alert = ""): Promise<Mail[]> => {
    const all = (await (await request.get("/dev/mail.json")).json()) as Mail[];
    return all.filter(({ text }) => text.includes(word) && text.includes(alert));
  };

  await startSession(page, SUBSCRIBER);
  const time = upcomingMinute();
  for (const [name, frequency] of [
    [`First ${word}`, "daily"],
    [`Second ${word}`, "daily"],
    [`At once ${word}`, "immediate"],
  ] as const) {
    await page.goto("/alert-settings");
    await page.getByRole("button", { name: "Create Alert" }).click();
    const form = page.getByRole("region", { name: "Create New Alert Configuration" });
    await form.getByLabel("Name").fill(name);
    await form.getByLabel("Keyword 1", { exact: true }).fill(word);
    await form.getByLabel("Frequency").selectOption(frequency);
    if (frequency === "daily") await form.getByLabel("Daily summary time").fill(time);
    await form.getByRole("button", { name: "Create Alert" }).click();
    // The form goes back in the browser's history. A page opened meanwhile would be aborted.
    await expect(page).toHaveURL(/\/alert-settings$/);
    await expect(page.getByText("Alert configuration created successfully!")).toBeVisible();
  }

  await publish("purchase", "2099-01-31");
  // The daily mail may arrive before the other one has been seen.
  const counted = (name: string) => async () => (await mails(`“${name} ${word}”`)).length;
  await expect.poll(counted("At once"), { timeout: 20_000 }).toBe(1);
  await expect.poll(counted("First"), { timeout: 110_000 }).toBe(1);
  expect(await mails()).toHaveLength(2);
  const digest = (await mails()).find(({ text }) => text.includes(`“First ${word}”`));
  expect(digest?.text).toContain(`“Second ${word}”`);
  const titles = digest?.text.split(/\r?\n/).filter((line) => line === titleOf(word));
  expect(titles, "the tender is listed once").toHaveLength(1);

  await publish("corrigendum", "2099-02-28");
  await expect.poll(async () => (await mails()).length, { timeout: 20_000 }).toBe(3);
  const changed = (await mails()).find(({ subject }) => subject.startsWith("Closing date changed"));
  expect(changed?.text).toContain("was Sat 31 Jan 2099, 2.00 p.m., now Sat 28 Feb 2099, 2.00 p.m.");
  await page.goto("/dev/mail");
  await expect(page.getByText(changed?.subject ?? "").first()).toBeVisible();
});
