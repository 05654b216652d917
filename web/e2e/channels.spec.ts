// Alerts by SMS and webhook: the owner sets the channels up, and an operator traces the deliveries.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { APIRequestContext } from "@playwright/test";
import {
  expect,
  expectNoViolations,
  registerSupplier,
  startSession,
  test,
  uniqueWord,
  withdrawTender,
} from "./fixtures.ts";
import { fillTenderForm, publishTender } from "./tenderForm.ts";

/** The messages sent to a telephone, newest first. */
async function smsMessages(request: APIRequestContext, number: string): Promise<string[]> {
  const mails = (await (await request.get("/dev/mail.json")).json()) as { subject: string; text: string }[];
  return mails.filter(({ subject }) => subject === `sms to ${number}`).map(({ text }) => text);
}

interface TracedAlert {
  alert: { name: string };
  deliveries: { state: string }[];
}

test("an Enterprise subscriber gets an SMS and a webhook call, and an operator traces them", async ({
  page,
  openPage,
  request,
}) => {
  test.setTimeout(120_000);
  const word = `Zy${uniqueWord()}`;
  const calls: { type: string; items: { tender: { title: string } }[] }[] = [];
  const server = createServer(async (call, answer) => {
    let body = "";
    for await (const chunk of call) body += chunk;
    calls.push(JSON.parse(body));
    answer.writeHead(204).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const number = `+9477${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;

  await startSession(page, "enterprise@demo.test");
  await page.goto("/account/notifications");
  const part = page.getByRole("region", { name: "SMS, WhatsApp and webhooks" });
  await part.getByLabel("Mobile number").fill("011 234 5678");
  await part.getByRole("button", { name: "Send a code" }).click();
  await expect(part).toContainText("Please enter a valid mobile number");
  await part.getByLabel("Mobile number").fill(number);
  await part.getByRole("button", { name: "Send a code" }).click();
  await expect(part).toContainText("Not confirmed yet");
  await expect.poll(async () => (await smsMessages(request, number)).length).toBe(1);
  const code = (await smsMessages(request, number))[0]?.slice(0, 6) ?? "";
  await part.getByLabel("Code", { exact: true }).fill(code);
  await part.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(part).toContainText("Confirmed");
  await part.getByLabel("Address").fill("nowhere");
  await part.getByRole("button", { name: "Save" }).click();
  await expect(part).toContainText("Please enter the address of a web page");
  await part.getByLabel("Address").fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  await part.getByRole("button", { name: "Save" }).click();
  await expect(part.getByRole("status").locator("code")).toContainText("whsec_");
  await part.getByRole("button", { name: "Done" }).click();
  await part.getByRole("button", { name: "Call it now" }).click();
  await expect(part).toContainText("Accepted");
  expect(calls.map(({ type }) => type)).toEqual(["test"]);
  await expectNoViolations(page);

  await page.goto("/alert-settings");
  await page.getByRole("button", { name: "Create Alert" }).first().click();
  const form = page.getByRole("region", { name: "Create New Alert Configuration" });
  await form.getByLabel("Keyword 1", { exact: true }).fill(word);
  await form.getByLabel("Name").fill(word);
  await form.getByRole("button", { name: /^Sent to/ }).click();
  await form.getByRole("checkbox", { name: "SMS" }).check();
  await form.getByRole("checkbox", { name: "Webhook" }).check();
  await form.getByRole("button", { name: "Create Alert" }).click();
  await expect(page.getByText("Alert configuration created successfully!")).toBeVisible();

  const supplier = await openPage();
  await registerSupplier(supplier);
  await supplier.goto("/supplier/add-tender");
  await fillTenderForm(supplier, `Supply of ${word}`);
  await publishTender(supplier);
  await expect(supplier).toHaveURL(/dashboard$/);
  await expect
    .poll(async () => (await smsMessages(request, number))[0], { timeout: 30_000 })
    .toContain(`New tender: Supply of ${word}`);
  await expect.poll(() => calls.at(-1)?.items[0]?.tender.title).toBe(`Supply of ${word}`);
  const text = (await smsMessages(request, number))[0] ?? "";
  const path = new URL(/https?:\S+/.exec(text)?.[0] ?? "").pathname;

  const operator = await openPage();
  await startSession(operator, "admin@demo.test");
  // The server records a message as sent after it has arrived. The page requests the trace only
  // once, so wait for the record first.
  const token = await operator.evaluate(() => localStorage.getItem("auth_token"));
  const states = async () => {
    const answer = await request.get(`/api${path}/trace`, { headers: { authorization: `Bearer ${token}` } });
    const { data } = (await answer.json()) as { data: { told: TracedAlert[] } };
    return data.told.find(({ alert }) => alert.name === word)?.deliveries.map(({ state }) => state);
  };
  await expect.poll(states).toEqual(["sent", "sent", "sent"]);
  await operator.goto(path);
  await operator.getByRole("button", { name: "Who was notified" }).click();
  const traced = operator.getByRole("listitem").filter({ hasText: `enterprise@demo.test · ${word}` });
  await expect(traced.getByText("sent", { exact: true })).toHaveCount(3);
  await expect(traced).toContainText(`sms:${number}`);
  await expectNoViolations(operator);

  await page.goto("/account/notifications");
  const remove = part.getByRole("button", { name: "Remove" });
  await expect(remove).toHaveCount(2);
  for (const left of [1, 0]) {
    await remove.first().click();
    await expect(remove).toHaveCount(left);
  }
  await page.goto("/alert-settings");
  await page.getByRole("button", { name: `More for ${word}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: word })).toHaveCount(0);
  await withdrawTender(supplier, `Supply of ${word}`);
  server.close();
});
