// The lists of the administrators' desk: operator tokens, messages, mail, payments and subscriptions.

import type { APIRequestContext } from "@playwright/test";
import {
  expect,
  expectNoViolations,
  expectNoViolationsInBothThemes,
  registerSupplier,
  startSession,
  test,
  uniqueWord,
} from "./fixtures.ts";
import { createOperatorToken } from "./portal.ts";

test("an administrator creates a token that is shown once, and revokes it", async ({ page }) => {
  const name = `night desk ${uniqueWord()}`;
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/tokens");
  await page.getByRole("button", { name: "New token…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(dialog.getByText("Please give a name")).toBeVisible();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Read handed-in pages").uncheck();
  await dialog.getByLabel("Review notices").check();
  await dialog.getByLabel("Expires after").selectOption("90 days");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: "Create token" }).click();

  const code = page.getByRole("status").locator("code");
  await expect(code).toHaveText(/^operator_/);
  const secret = (await code.textContent()) ?? "";
  const headers = { Authorization: `Bearer ${secret}` };
  expect((await page.request.get("/api/operate/review", { headers })).status()).toBe(200);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(secret)).toBeHidden();
  await page.reload();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText("Publish notices · Review notices");
  await expect(row).not.toContainText("Never used");
  await expectNoViolationsInBothThemes(page);

  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Revoke…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(row.getByText("Revoked", { exact: true })).toBeVisible();
  expect((await page.request.get("/api/operate/review", { headers })).status()).toBe(401);
  await page.getByLabel("Show").selectOption("Usable");
  await expect(row).toHaveCount(0);
  await page.getByLabel("Show").selectOption("Expired or revoked");
  await expect(row).toHaveCount(1);
});

test("an administrator answers a message and opens it again", async ({ page, request, stats }) => {
  expect(stats.totalTenders).toBeGreaterThan(0);
  const name = `Malini ${uniqueWord()}`;
  const listed = (await (await request.get("/api/tenders?limit=1")).json()).data.tenders[0];
  const message = {
    name,
    email: "malini@example.lk",
    message: "The closing date is wrong",
    tenderId: listed._id,
  };
  expect((await request.post("/api/contact", { data: message })).status()).toBe(201);

  await startSession(page, "admin@demo.test");
  await page.goto("/operate/messages");
  await page.getByLabel("Search by name, mail address or text").fill(name);
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText("The closing date is wrong");
  await expect(row).toContainText("Reports a mistake");
  await expect(row.getByRole("link", { name: listed.title })).toHaveAttribute(
    "href",
    `/tenders/${listed._id}`,
  );
  const answer = row.getByRole("link", { name: `Answer ${name} by mail` });
  await expect(answer).toHaveAttribute("href", /^mailto:malini@example\.lk\?subject=/);
  await expectNoViolationsInBothThemes(page);

  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Mark as answered…" }).click();
  await page.getByRole("dialog").getByLabel("Note").fill("Corrected the date");
  await expectNoViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Mark as answered" }).click();
  await expect(row).toHaveCount(0);
  await page.getByLabel("Show").selectOption("Answered");
  await expect(row).toContainText("by admin@demo.test");
  await expect(row).toContainText("Note: Corrected the date");
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Open again…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Open again" }).click();
  await expect(row).toHaveCount(0);
  await page.getByLabel("Show").selectOption("Open");
  await expect(row).toContainText("Note: Corrected the date");
});

/** Reports as the recipient's mail server does that a mail to this address is junk. */
async function reportComplaint(request: APIRequestContext, email: string): Promise<void> {
  type Mail = { to: string[]; headers: { name: string; value: string }[] };
  let messageId: string | undefined;
  await expect
    .poll(async () => {
      const mails = (await (await request.get("/dev/mail.json")).json()) as Mail[];
      const mail = mails.find(({ to }) => to.includes(email));
      messageId = mail?.headers.find(({ name }) => name.toLowerCase() === "message-id")?.value;
      return messageId;
    })
    .toBeTruthy();
  const part = (type: string, text: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n\r\n`;
  const report = [
    "From: MAILER-DAEMON@mx.test\r\nMIME-Version: 1.0\r\n",
    "Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n",
    part("message/feedback-report", "Feedback-Type: abuse\r\nVersion: 1"),
    part("text/rfc822-headers", `Message-ID: ${messageId}`),
    "--b--\r\n",
  ].join("");
  const token = await createOperatorToken(undefined, "bounces");
  const headers = { authorization: `Bearer ${token}`, "content-type": "message/rfc822" };
  const answer = await request.post("/api/mail/reports", { headers, data: report });
  expect((await answer.json()).data.outcome).toBe("suppressed");
}

test("an administrator lifts the suppression of an address", async ({ page, openPage, request }) => {
  const email = await registerSupplier(await openPage());
  await reportComplaint(request, email);

  await startSession(page, "admin@demo.test");
  await page.goto("/operate/mail");
  await page.getByRole("link", { name: "Suppressed addresses" }).click();
  await page.getByLabel("Search by address or reason").fill(email);
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: email });
  await expect(row).toContainText("Reported as junk");
  await expectNoViolationsInBothThemes(page);
  await row.getByRole("button", { name: `Actions for ${email}` }).click();
  await page.getByRole("menuitem", { name: "Lift suppression…" }).click();
  await expectNoViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Lift suppression" }).click();
  await expect(page.getByText("The suppression is lifted")).toBeVisible();
  await expect(page.getByRole("heading", { name: "No suppressed addresses" })).toBeVisible();
});

test("an administrator sends undelivered messages again, all with one reason", async ({ page }) => {
  // The portal of the tests delivers every mail, so the list comes from here.
  const message = (number: number, reason: string) => ({
    _id: `00000000-0000-7000-8000-00000000000${number}`,
    channel: "email",
    address: `reader${number}@example.lk`,
    subject: `New tenders for alert ${number}`,
    reason,
    attempts: 11,
    at: "2026-11-20T12:00:00+05:30",
    isSuppressed: false,
    canRetry: true,
  });
  const all = [message(1, "550 mailbox full"), message(2, "554 refused")];
  await page.route("**/api/operate/mail/dead?*", (route) => {
    const reason = new URL(route.request().url()).searchParams.get("reason") ?? "";
    const messages = all.filter((one) => one.reason.includes(reason));
    return route.fulfill({
      json: { success: true, data: { messages, retriable: messages.length, next: null } },
    });
  });
  await page.route("**/api/operate/mail/dead", (route) =>
    route.fulfill({ json: { success: true, data: { messages: all, retriable: 2, next: null } } }),
  );
  let sent: unknown;
  await page.route("**/api/operate/mail/retry", (route) => {
    sent = route.request().postDataJSON();
    return route.fulfill({ json: { success: true, data: { retried: 1 } } });
  });
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/mail");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Send 2 messages again…" })).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await rows.first().getByRole("button", { name: "Actions for reader1@example.lk" }).click();
  await page.getByRole("menuitem", { name: "Show messages with this reason" }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole("button", { name: "Send 1 message again…" }).click();
  await expectNoViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await expect(page.getByText("1 message is queued for sending")).toBeVisible();
  expect(sent).toEqual({ reason: "550 mailbox full" });
});

test("an administrator settles a payment with a note, and finds subscriptions", async ({ page }) => {
  // The provider of the tests sends no payments that do not fit, so the list comes from here.
  let settlement: { at: string; by: string; note: string } | null = null;
  const event = {
    _id: 7,
    provider: "stripe",
    eventId: "evt_1",
    receivedAt: "2026-11-20T12:00:00+05:30",
    outcome: "mismatch",
    kind: "paid",
    amount: 5000.01,
    currency: "LKR",
    reference: "pi_1",
    checkout: "00000000-0000-7000-8000-000000000001",
    subscription: null,
    email: "nimal@example.lk",
    body: null,
  };
  await page.route("**/api/operate/payments/events?*", (route) => {
    const isSettled = new URL(route.request().url()).searchParams.get("isSettled") === "true";
    const events = isSettled === (settlement !== null) ? [{ ...event, settlement }] : [];
    return route.fulfill({ json: { success: true, data: { events, next: null } } });
  });
  await page.route("**/api/operate/payments/events/7/settlement", (route) => {
    const { note } = route.request().postDataJSON() as { note: string };
    settlement = { at: "2026-11-20T13:00:00+05:30", by: "admin@demo.test", note };
    return route.fulfill({ json: { success: true, data: {} } });
  });
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/payments");
  const row = page.getByRole("main").getByRole("listitem");
  await expect(row).toContainText("LKR 5,000.01");
  await expect(row).toContainText("Another amount");
  await expectNoViolationsInBothThemes(page);
  await row.getByRole("button", { name: "Actions for evt_1" }).click();
  await page.getByRole("menuitem", { name: "Mark as settled…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Mark as settled" }).click();
  await expect(dialog.getByText("Please say what was done")).toBeVisible();
  await dialog.getByLabel("What was done").fill("Refunded");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: "Mark as settled" }).click();
  await expect(page.getByRole("heading", { name: "No payments to settle" })).toBeVisible();
  await page.getByLabel("Show").selectOption("Settled");
  await expect(row).toContainText("by admin@demo.test: Refunded");

  await page.getByRole("link", { name: "Subscriptions" }).click();
  await page.getByLabel("Search by mail address, name or company").fill("enterprise@demo.test");
  await page.getByLabel("Status").selectOption("Active");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("Enterprise");
  await expectNoViolationsInBothThemes(page);
  await page.getByLabel("Plan").selectOption("Basic");
  await expect(page.getByRole("heading", { name: "No subscriptions found" })).toBeVisible();
});
