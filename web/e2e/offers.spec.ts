// The offers of alerts: a guest's wish is carried through signing up, confirming and paying; the first run
// makes an alert from three questions; a tender is shared.

import type { Page } from "@playwright/test";
import { findMailedLink } from "./accounts.ts";
import {
  cards,
  expect,
  expectNoViolationsInBothThemes,
  registerSupplier,
  test,
  uniqueWord,
} from "./fixtures.ts";
import { PASSWORD } from "./portal.ts";

const OFFER = "E-mail me new tenders like these";

/** Fills and sends the sign-up form. Returns the e-mail address. */
async function signUp(page: Page): Promise<string> {
  const email = `nirmala.${crypto.randomUUID()}@example.lk`;
  await page.getByLabel("First name").fill("Nirmala");
  await page.getByLabel("Last name").fill("Perera");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Repeat the password").fill(PASSWORD);
  await page.getByLabel(/I agree/).check();
  await page.getByRole("button", { name: "Create account" }).click();
  return email;
}

/** Subscribes to Professional on the pricing page with the sandbox's card. */
async function subscribe(page: Page): Promise<void> {
  const card = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "Professional", exact: true }) });
  await card.getByRole("button", { name: "Subscribe Now" }).click();
  await page.getByLabel("Card number").fill("4242 4242 4242 4242");
  await page.getByLabel("Expiry").fill("12/34");
  await page.getByLabel("CVC").fill("123");
  await page.getByRole("button", { name: "Pay", exact: true }).click();
}

test("a guest's search becomes an alert, after signing up, confirming the address and paying", async ({
  page,
  request,
}) => {
  test.setTimeout(90_000);
  const word = uniqueWord();
  await page.goto(`/tenders?search=${word}`);
  await expect(page.getByRole("link", { name: "E-mail me when one is published" })).toBeVisible();
  await page.getByRole("link", { name: OFFER }).click();
  await expect(page.getByText("Your alert opens next, already filled in.")).toBeVisible();
  const email = await signUp(page);

  // The free plan has no alerts, so the page says what the alert would be and which plan has it.
  const wanted = page.getByRole("region", { name: "Your alert" });
  await expect(wanted).toContainText(word);
  await expect(page.getByText(/Professional and Enterprise plans, from LKR 5,000 a month/)).toBeVisible();
  await expect(page.getByRole("main").getByText(`we sent a link to ${email}`)).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  // The link in the mail opens another tab, which continues with the alert.
  const tab = await page.context().newPage();
  await tab.goto(await findMailedLink(request, email, "verify-email"));
  await tab.getByRole("button", { name: "Confirm my address" }).click();
  await tab.getByRole("link", { name: "Continue with your alert" }).click();
  await expect(tab.getByRole("region", { name: "Your alert" })).toContainText(word);
  await expect(tab.getByText(`we sent a link to ${email}`)).toHaveCount(0);
  await tab.getByRole("link", { name: "View Pricing Plans" }).click();
  await expect(tab.getByText("Your alert is kept.")).toBeVisible();
  await subscribe(tab);
  await expect(tab.getByText(/^Professional is active until /)).toBeVisible();
  await expectNoViolationsInBothThemes(tab);
  await tab.getByRole("link", { name: "Open your alert" }).click();

  const form = tab.getByRole("region", { name: "Create New Alert Configuration" });
  await expect(form.getByLabel("Name")).toHaveValue(word);
  await expect(form.getByLabel("Keyword 1", { exact: true })).toHaveValue(word);
  await form.getByRole("button", { name: "Create Alert" }).click();
  await expect(tab.getByText("Alert configuration created successfully!")).toBeVisible();
  await expect(tab.getByRole("region", { name: "Active", exact: true })).toContainText(word);
  expect(await tab.evaluate(() => localStorage.getItem("intended_path"))).toBeNull();
});

test("three questions fill the company profile and save a search, or an alert if the plan has alerts", async ({
  page,
}) => {
  await registerSupplier(page);
  await page.goto("/alert-settings");
  await page.getByRole("link", { name: "Answer three questions" }).click();
  await expect(page.getByRole("heading", { name: "Three questions, and your first alert" })).toBeVisible();
  const save = page.getByRole("button", { name: "Save this search" });
  await save.click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Choose a sector or a kind of work");
  await page.getByRole("checkbox", { name: "Construction" }).check();
  await page.getByRole("checkbox", { name: "Roads" }).check();
  await page.getByRole("checkbox", { name: "Matara" }).check();
  await page.getByRole("button", { name: "Add a CIDA registration" }).click();
  await page.getByLabel("Grade", { exact: true }).selectOption("C5");
  await page.getByLabel("Field of work").fill("Highway construction");
  await expect(page.getByRole("region", { name: "Your first alert" })).toContainText("Matara");
  await expectNoViolationsInBothThemes(page);
  await save.click();
  await expect(page.getByText("Search saved")).toBeVisible();
  await expect(page.getByRole("region", { name: "Your alert" })).toContainText("road");

  await page.goto("/account/company");
  await expect(page.getByRole("region", { name: "CIDA registrations" }).getByLabel("Grade")).toHaveValue(
    "C5",
  );
  await expect(page.getByLabel("Matara")).toBeChecked();
  await page.goto("/saved");
  await expect(page.getByText("Roads · Matara")).toBeVisible();

  await page.goto("/pricing");
  await subscribe(page);
  await expect(page.getByText(/^Professional is active until /)).toBeVisible();
  await page.goto("/welcome");
  await page.getByRole("checkbox", { name: "Construction" }).check();
  await expect(page.getByRole("region", { name: "Matches in the last 30 days" })).toContainText(
    /tenders? in the/,
  );
  await page.getByRole("button", { name: "Create Alert" }).click();
  await expect(page.getByRole("region", { name: "Active", exact: true })).toContainText("Construction");
});

test("a tender is shared with the keyboard, and its page prints without buttons", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/tenders?search=supply");
  await cards(page).first().getByRole("heading").getByRole("link").click();
  await expect(page).toHaveURL(/\/tenders\/[0-9a-f-]{36}$/);
  const share = page.getByRole("button", { name: "Share" });
  await expect(share).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  const title = await page.getByRole("heading", { level: 1 }).textContent();
  await share.press("Enter");
  const whatsApp = page.getByRole("menuitem", { name: "WhatsApp" });
  const message = new URL((await whatsApp.getAttribute("href")) ?? "").searchParams.get("text");
  expect(message).toContain(title);
  expect(message).toContain(page.url());
  await expect(page.getByRole("menuitem", { name: "E-mail" })).toHaveAttribute("href", /^mailto:\?subject=/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Link copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());

  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByRole("button", { name: "Share" })).toBeHidden();
  await expect(page.getByRole("link", { name: "All tenders" })).toBeHidden();
  await expect(page.getByText("Reference number")).toBeVisible();
  await expect(page.locator("html")).toHaveCSS("background-color", "rgb(255, 255, 255)");
});
