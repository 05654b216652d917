// Subscribing: from the pricing page to an invoice with the sandbox's test cards, and the plan on
// the account page.

import type { Page } from "@playwright/test";
import { expect, expectNoViolations, registerSupplier, startSession, test } from "./fixtures.ts";

const ACCEPTED_CARD = "4242 4242 4242 4242";
const DECLINED_CARD = "4000 0000 0000 0002";
const CHALLENGED_CARD = "4000 0027 6000 3184";

const card = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

/** Subscribes to a plan on the pricing page and waits for the sandbox's payment page. */
async function subscribe(page: Page, plan: string): Promise<void> {
  await page.goto("/pricing");
  await card(page, plan).getByRole("button", { name: "Subscribe Now" }).click();
  await expect(page).toHaveURL(/\/payments\/sandbox\//);
  await expect(page.getByText("This is a test.")).toBeVisible();
}

async function pay(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry").fill("12/34");
  await page.getByLabel("CVC").fill("123");
  await page.getByRole("button", { name: "Pay", exact: true }).click();
}

test("a supplier subscribes with a test card and finds plan and invoice on the account page", async ({
  page,
}) => {
  await registerSupplier(page);
  await subscribe(page, "Professional");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Professional, monthly");
  await expectNoViolations(page);
  await pay(page, DECLINED_CARD);
  await expect(page.getByRole("alert")).toHaveText("Your card was declined.");
  await expect(page.getByLabel("Card number")).toBeFocused();
  await expectNoViolations(page);
  await pay(page, ACCEPTED_CARD);
  await expect(page).toHaveURL(/\/subscription\/success\?session_id=/);
  await expect(page.getByRole("heading", { name: "Subscription Confirmed!" })).toBeVisible();
  await expect(
    page.getByText(/^Professional is active until .* It renews at LKR 5,000 a month/),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: "Set up your first alert" })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Go to your account" }).click();
  const plan = page.getByRole("region", { name: "Your plan" });
  await expect(plan).toContainText(/Professional · renews on /);
  await expect(plan).toContainText("LKR 5,000 a month");
  // The plan's features are available at once.
  await expect(page.getByRole("banner").getByRole("link", { name: "Alerts" })).toBeVisible();
  const invoices = page.getByRole("region", { name: "Invoices" });
  await expect(invoices).toContainText("LKR 5,000.00");
  await invoices.getByRole("link", { name: /^INV-\d{4}-\d{6}$/ }).click();
  await expect(page.getByRole("heading", { name: "Invoice" })).toBeVisible();
  const total = page.getByRole("row", { name: /^Total paid/ });
  await expect(total).toContainText("LKR 5,000.00");
  await expect(page.getByRole("article")).toContainText("Sunil Fernando");
  await expectNoViolations(page);
  // In print, the other parts of the page are hidden.
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(total).toBeVisible();
});

test("a bank asks for confirmation, and either answer takes effect", async ({ page }) => {
  await registerSupplier(page);
  await subscribe(page, "Basic");
  await pay(page, CHALLENGED_CARD);
  await expect(page.getByRole("heading", { name: "3-D Secure" })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Fail" }).click();
  await expect(page.getByRole("alert")).toContainText("Nothing was charged.");
  await pay(page, CHALLENGED_CARD);
  await page.getByRole("button", { name: "Complete" }).click();
  await expect(page.getByRole("heading", { name: "Subscription Confirmed!" })).toBeVisible();
});

test("a user who turns back pays nothing, and an unknown checkout shows an error", async ({ page }) => {
  await registerSupplier(page);
  await subscribe(page, "Enterprise");
  await page.getByRole("link", { name: "Back without paying" }).click();
  await expect(page).toHaveURL(/\/subscription\/cancel$/);
  await expect(page.getByText("No payment was processed.")).toBeVisible();
  await page.getByRole("link", { name: "View Plans" }).click();
  await expect(page).toHaveURL(/\/pricing$/);
  await page.goto("/account");
  await expect(page.getByRole("region", { name: "Your plan" })).toContainText("Free");
  for (const [address, message] of [
    ["/subscription/success", "No session ID provided"],
    ["/subscription/success?session_id=unknown", "An error occurred while verifying your subscription."],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: "Subscription Error" })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveText(message);
    await expect(page.getByRole("main").getByRole("link", { name: "Try Again" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Contact support" })).toBeVisible();
  }
});

test("an upgrade takes effect at once, a downgrade later, and a cancelled plan can be resumed", async ({
  page,
}) => {
  await registerSupplier(page);
  await subscribe(page, "Basic");
  await pay(page, ACCEPTED_CARD);
  await expect(page.getByRole("heading", { name: "Subscription Confirmed!" })).toBeVisible();
  await page.goto("/pricing");
  await expect(card(page, "Basic")).toContainText("Your plan");
  await card(page, "Professional").getByRole("button", { name: "Upgrade" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Unused time of Basic");
  await expect(dialog).toContainText("It then renews at LKR 5,000 a month");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: /^Pay LKR 3,00\d/ }).click();
  await expect(page.getByText("Then LKR 5,000.00")).toBeVisible();
  await pay(page, ACCEPTED_CARD);
  await expect(page.getByRole("heading", { name: "Subscription Confirmed!" })).toBeVisible();

  await page.goto("/pricing");
  await card(page, "Basic").getByRole("button", { name: "Downgrade" }).click();
  await expect(dialog).toContainText("Nothing is paid now.");
  await dialog.getByRole("button", { name: "Change the plan" }).click();
  await expect(page.getByText("Your plan is changed")).toBeVisible();
  await page.goto("/account");
  const plan = page.getByRole("region", { name: "Your plan" });
  await expect(plan).toContainText(/Professional · changes to Basic \(LKR 2,000 a month\) on /);
  await plan.getByRole("button", { name: "Keep my plan" }).click();
  await expect(plan).toContainText(/Professional · renews on /);

  await plan.getByRole("button", { name: "Cancel the plan" }).click();
  await dialog.getByLabel(/^Why are you leaving\?/).fill("Only trying");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: "Cancel the plan" }).click();
  await expect(plan).toContainText(/Professional · ends on /);
  await plan.getByRole("button", { name: "Keep my plan" }).click();
  await expect(plan).toContainText(/Professional · renews on /);
  await expect(page.getByRole("region", { name: "Invoices" }).getByRole("listitem")).toHaveCount(2);
});

test("a year costs as much as ten months, and a failed checkout is shown in place", async ({ page }) => {
  await registerSupplier(page);
  await page.goto("/pricing");
  await page.getByRole("radio", { name: "Yearly" }).check({ force: true });
  await expect(card(page, "Enterprise")).toContainText("LKR 100,000 a year");
  await expect(card(page, "Enterprise")).toContainText("LKR 20,000 less than with monthly billing");
  await page.route("**/api/subscriptions/create-checkout-session", (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/json",
      body: JSON.stringify({ success: false, message: "The provider is away." }),
    }),
  );
  await card(page, "Enterprise").getByRole("button", { name: "Subscribe Now" }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "Failed to start subscription process: The provider is away. Please try again.",
  );
  await expect(card(page, "Enterprise").getByRole("button", { name: "Subscribe Now" })).toBeEnabled();
});

test("the usage bars follow the theme", async ({ page }) => {
  await startSession(page, "professional@demo.test");
  await page.goto("/account");
  const bar = page.getByRole("progressbar").first();
  await expect(bar).toHaveCSS("appearance", "none");
  const colour = await bar.evaluate((element) => getComputedStyle(element).color);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => bar.evaluate((element) => getComputedStyle(element).color)).not.toBe(colour);
});
