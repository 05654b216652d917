// The mail of the demo alert: its reason, its unsubscribe header and its link.

import { expect, test } from "./fixtures.ts";

interface Mail {
  to: string[];
  subject: string;
  text: string;
  html: string;
  headers: unknown;
}

/** The name of the demo alert. */
const ALERT_NAME = "Building and rehabilitation works";

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, " ").trim();

test("the demo alert's mail is listed, says why it was sent, and links to the matched tender", async ({
  page,
  request,
  stats,
}) => {
  expect(stats.totalTenders).toBeGreaterThan(0);
  const alertMails = async (): Promise<Mail[]> => {
    const mails = (await (await request.get("/dev/mail.json")).json()) as Mail[];
    return mails.filter(
      ({ to, text }) => to.includes("professional@demo.test") && text.includes(`your alert “${ALERT_NAME}”`),
    );
  };
  await expect.poll(async () => (await alertMails()).length, { timeout: 45_000 }).toBeGreaterThan(0);
  const [mail] = await alertMails();
  expect(mail?.text).toMatch(/Why you get this: your alert “.+” looks for “.+”/);
  expect(JSON.stringify(mail?.headers)).toMatch(/list-unsubscribe-post/i);

  await page.goto("/dev/mail");
  await expect(page.getByText("professional@demo.test").first()).toBeVisible();
  await expect(page.getByText(mail?.subject ?? "", { exact: false }).first()).toBeVisible();

  // The link in the mail leads to the matched tender.
  const id = mail?.text.match(/\/tenders\/([0-9a-f-]{36})/)?.[1];
  expect(id, "a link to a tender").toBeDefined();
  await page.goto(`/tenders/${id}`);
  await expect(page.getByText("Reference number")).toBeVisible();
  const title = await page.getByRole("heading", { level: 1 }).textContent();
  expect(collapseSpaces(mail?.text ?? "")).toContain(collapseSpaces(title ?? ""));
});
