// The plans on sale and the user's own plan.

import { expect, registerSupplier, startSession, test } from "./fixtures.ts";
import { PASSWORD } from "./portal.ts";

test("a guest compares the plans and returns to them after signing in", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pricing" }).click();
  const card = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
  for (const [name, price, point] of [
    ["Basic", "LKR 2,000", "Weekly e-mail summary"],
    ["Professional", "LKR 5,000", "Document downloads"],
    ["Enterprise", "LKR 10,000", "Up to 5 users per account"],
  ] as const) {
    await expect(card(name)).toContainText(price);
    await expect(card(name)).toContainText(point);
  }
  await expect(card("Professional")).toContainText("or LKR 50,000 a year: LKR 10,000 less");
  await expect(card("Enterprise")).toContainText("Everything in Professional, and:");
  const archive = page.getByRole("row", { name: /^How far back/ });
  await expect(archive.getByRole("cell")).toHaveText([
    "14 days",
    "14 days",
    "14 days",
    "365 days",
    "Everything",
  ]);
  // The table also shows the free plan and guests.
  const opened = page.getByRole("row", { name: /^Tenders opened a month/ });
  await expect(opened.getByRole("cell").first()).toHaveText("3");
  const alerts = page.getByRole("row", { name: /^E-mail alerts/ });
  await expect(alerts.getByRole("cell")).toHaveText([
    "Not included",
    "Not included",
    "Not included",
    "Unlimited",
    "Unlimited",
  ]);
  await card("Basic").getByRole("link", { name: "Subscribe Now" }).click();
  await expect(page).toHaveURL(/\/login\?redirect=%2Fpricing$/);
  const form = page.getByRole("main");
  await form.getByLabel("E-mail").fill("professional@demo.test");
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/pricing$/);
  await expect(card("Professional")).toContainText("Your plan");
  // A plan granted by the operator can't be bought, but a higher one can.
  await expect(card("Basic").getByRole("button", { name: "Downgrade" })).toBeVisible();
  await card("Enterprise").getByRole("button", { name: "Upgrade" }).click();
  await expect(page.getByRole("dialog")).toContainText("Enterprise begins as soon as you have paid.");
  await page.getByRole("dialog").getByRole("button", { name: "Not now" }).click();
  await card("Enterprise").getByRole("link", { name: "Contact Sales" }).click();
  await expect(page).toHaveURL(/\/contact$/);
});

test("a phone compares one plan at a time, with every row and without sideways scrolling", async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto("/pricing");
  const users = page.getByRole("definition").filter({ hasText: /^[15]$/ });
  await expect(page.getByText("Documents of tenders").last()).toBeVisible();
  await page.getByRole("radio", { name: "Enterprise" }).check({ force: true });
  await expect(users.filter({ hasText: "5" })).toBeVisible();
  await page.getByRole("radio", { name: "No account" }).check({ force: true });
  await expect(page.getByRole("definition").filter({ hasText: /^3$/ })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("an account shows its plan and usage, and links to the other plans", async ({ page }) => {
  await registerSupplier(page);
  await page.goto("/account");
  const plan = page.getByRole("region", { name: "Your plan" });
  await expect(plan).toContainText("Free");
  await expect(plan).toContainText("0 of 10");
  await plan.getByRole("link", { name: "View Pricing Plans" }).click();
  await expect(page.getByRole("heading", { name: "Plans and prices" })).toBeVisible();
  await page.goto("/alert-settings");
  await page.getByRole("link", { name: "View Pricing Plans" }).click();
  await expect(page).toHaveURL(/\/pricing$/);
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  await startSession(page, "professional@demo.test");
  await page.goto("/account");
  await expect(plan).toContainText(/Professional · ends on /);
});
