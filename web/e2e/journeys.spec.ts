// Complete journeys: a guest up to the limits of free access, a buyer from registration to an ended
// session, and a supplier whose session ends while writing a tender.

import type { Page } from "@playwright/test";
import { findMailedLink, registerBuyer } from "./accounts.ts";
import { cards, expect, registerSupplier, signOut, test, uniqueWord, withdrawTender } from "./fixtures.ts";
import { PASSWORD } from "./portal.ts";
import { fillTenderForm, openStep, publishTender } from "./tenderForm.ts";

/** Publishes a tender that only subscribers can read. */
async function publishForSubscribers(page: Page, title: string): Promise<void> {
  await page.goto("/supplier/add-tender");
  await fillTenderForm(page, title, "Of teak, for the council's hall.");
  await openStep(page, "Attachments");
  await page.getByLabel("Visibility").selectOption("premium");
  await publishTender(page);
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
}

test("a guest searches, opens tenders, and is stopped by a locked tender and by the fourth details", async ({
  page,
  openPage,
  request,
}) => {
  const title = `Benches ${uniqueWord()}`;
  const supplier = await openPage();
  await registerSupplier(supplier);
  await publishForSubscribers(supplier, title);

  // A locked tender stays in the list and says what unlocks it, but does not show its description.
  await page.goto("/tenders");
  const search = page.getByRole("combobox", { name: "Search in tenders" });
  await search.fill(title);
  await search.press("Enter");
  const locked = page.getByRole("article", { name: title });
  await expect(locked).toContainText("This tender is for subscribers. Included in Professional.");
  await expect(locked.getByRole("button", { name: /^View Details/ })).toHaveCount(0);
  await expect(page.getByText("Of teak")).toHaveCount(0);
  const found = await (await request.get(`/api/tenders?search=${encodeURIComponent(title)}`)).json();
  await page.goto(`/tenders/${found.data.tenders[0]._id}`);
  await expect(page.getByText("This tender is for Professional and Enterprise subscribers")).toBeVisible();
  await expect(page.getByText("Of teak")).toHaveCount(0);

  // A guest can open three tenders a month. Opening one of them again does not count.
  await page.goto("/tenders?search=supply");
  const details = async (nth: number) => {
    const card = cards(page).nth(nth);
    await card.getByRole("button", { name: /^View Details/ }).click();
    return card;
  };
  for (const nth of [0, 1, 2]) {
    await expect((await details(nth)).getByText("Reference number")).toBeVisible();
  }
  const fourth = await details(3);
  await expect(fourth).toContainText("You have opened the 3 tenders that are free each month.");
  await expect(fourth.getByText("Full text of the notice")).toHaveCount(0);
  await page.reload();
  await expect((await details(0)).getByText("Reference number")).toBeVisible();
  await (await details(3)).getByRole("link", { name: "Sign up" }).click();
  await expect(page).toHaveURL(/\/register\?redirect=%2Ftenders/);
  await withdrawTender(supplier, title);
});

test("a buyer registers, confirms, signs in, loses the session, and returns to the same page", async ({
  page,
  request,
}) => {
  const email = await registerBuyer(page);
  await page.goto(await findMailedLink(request, email, "verify-email"));
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByText("Your e-mail address is confirmed.")).toBeVisible();
  await signOut(page);
  await expect(page).toHaveURL(/\/$/);

  const signIn = async () => {
    const form = page.getByRole("main");
    await form.getByLabel("E-mail").fill(email);
    await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await form.getByRole("button", { name: "Sign in" }).click();
  };
  await page.goto("/login");
  await signIn();
  await expect(page).toHaveURL(/\/tenders$/);
  await page.goto("/account");
  await expect(page.getByLabel("Company")).toBeVisible();

  // The session is ended elsewhere. The next call fails.
  const headers = {
    authorization: `Bearer ${await page.evaluate(() => localStorage.getItem("auth_token"))}`,
  };
  const { data } = await (await request.get("/api/auth/sessions", { headers })).json();
  for (const { _id } of data.sessions) await request.delete(`/api/auth/sessions/${_id}`, { headers });
  await page.getByLabel("Company").fill("Dias Stores");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Session Expired")).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await signIn();
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole("banner").getByText("Welcome, Malini Dias")).toBeVisible();
});

test("a supplier whose session ends while writing a tender finds the input restored", async ({
  page,
  request,
}) => {
  await registerSupplier(page);
  const email = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem("auth_token")}` };
    const me = await (await fetch("/api/auth/me", { headers })).json();
    return me.data.user.email as string;
  });
  await page.goto("/supplier/add-tender");
  await page.getByLabel("Title").fill("Repair of two bridges");
  const headers = {
    authorization: `Bearer ${await page.evaluate(() => localStorage.getItem("auth_token"))}`,
  };
  const { data } = await (await request.get("/api/auth/sessions", { headers })).json();
  for (const { _id } of data.sessions) await request.delete(`/api/auth/sessions/${_id}`, { headers });
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(page.getByText("Session Expired")).toBeVisible();
  const form = page.getByRole("main");
  await form.getByLabel("E-mail").fill(email);
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/supplier\/add-tender$/);
  await expect(page.getByLabel("Title")).toHaveValue("Repair of two bridges");
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  await expect(page.getByRole("link", { name: "Edit Repair of two bridges" })).toBeVisible();
});
