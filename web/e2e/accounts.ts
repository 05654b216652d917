// Steps that several tests share: registering a buyer, and finding a link in a mail.

import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { PASSWORD } from "./portal.ts";

/** Registers a buyer through the form and returns the e-mail address. */
export async function registerBuyer(page: Page): Promise<string> {
  const email = `malini.${crypto.randomUUID()}@example.lk`;
  await page.goto("/register?role=buyer");
  await page.getByLabel("First name").fill("Malini");
  await page.getByLabel("Last name").fill("Dias");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Repeat the password").fill(PASSWORD);
  await page.getByLabel(/I agree/).check();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/tenders$/);
  return email;
}

/** Waits for a mail to `email` with a link to `path`. Returns the path and query of the link. */
export async function findMailedLink(
  request: APIRequestContext,
  email: string,
  path: string,
): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const mails = (await (await request.get("/dev/mail.json")).json()) as { to: string; text: string }[];
      const mine = mails.filter((mail) => mail.to.includes(email) && mail.text.includes(`/${path}?`));
      link = mine.map((mail) => mail.text.match(/https?:\S+token=\S+/)?.[0]).find((found) => found);
      return link;
    })
    .toBeTruthy();
  const url = new URL(link ?? "");
  return url.pathname + url.search;
}
