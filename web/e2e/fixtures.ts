// The base of every browser test: a page that collects its errors, and the portal's statistics for
// comparison.

import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { linkTo } from "./accounts.ts";
import { standInForGoogle } from "./google.ts";
import { PASSWORD } from "./portal.ts";

interface Stats {
  totalTenders: number;
  todayTenders: number;
  liveTenders: number;
  closedTenders: number;
  sectorStats: { _id: string; name: string; count: number }[];
}

interface Fixtures {
  /**
   * Errors of scripts and of the console. Each test must end without any, unless it empties the
   * list.
   */
  complaints: string[];
  stats: Stats;
}

/** Console messages that are no errors of the app. */
const expected = [
  // A refused call is a response, which the app handles.
  "Failed to load resource",
  // The mail preview blocks all scripts, including the test runner's.
  "Blocked script execution in 'about:srcdoc'",
];

export const test = base.extend<Fixtures>({
  complaints: [
    async ({ page, context }, use) => {
      await standInForGoogle(context);
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !expected.some((words) => message.text().startsWith(words))) {
          complaints.push(message.text());
        }
      });
      await use(complaints);
      expect(complaints, "errors in the page").toEqual([]);
    },
    { auto: true },
  ],
  stats: async ({ request }, use) => {
    // The index follows the database. All tenders are counted once there are some.
    await expect
      .poll(async () => (await (await request.get("/api/tenders/stats")).json()).data.totalTenders, {
        timeout: 30_000,
      })
      .toBeGreaterThan(10);
    await use((await (await request.get("/api/tenders/stats")).json()).data);
  },
});

export { expect };

/** Signs in through the form. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/login");
  const form = page.getByRole("main");
  await form.getByLabel("E-mail").fill(email);
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Sign in" }).click();
}

/** The cards of the listing. */
export function cards(page: Page) {
  return page.getByRole("region", { name: "Tenders" }).getByRole("article");
}

/** Expects axe to find no violations in the page as it is. */
export async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  expect(found, page.url()).toEqual([]);
}

/**
 * Registers a new supplier with a confirmed address. Quotas and lists belong to an account, and
 * only a confirmed account publishes.
 */
export async function registerSupplier(page: Page): Promise<void> {
  const email = `sunil.${crypto.randomUUID()}@example.lk`;
  await page.goto("/register?role=supplier");
  await page.getByLabel("First name").fill("Sunil");
  await page.getByLabel("Last name").fill("Fernando");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Company").fill("Fernando Works");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Repeat the password").fill(PASSWORD);
  await page.getByLabel(/I agree/).check();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  const link = new URL(await linkTo(page.request, email, "verify-email"), "http://localhost");
  const token = link.searchParams.get("token");
  const confirmed = await page.request.post("/api/auth/verify-email", { data: { token } });
  expect(confirmed.ok()).toBe(true);
  await page.reload();
}

/** Withdraws a supplier's tender so that the following tests see only the newspapers' tenders. */
export async function withdraw(page: Page, title: string): Promise<void> {
  await page.goto("/supplier/dashboard");
  await page.getByRole("button", { name: `More for ${title}` }).click();
  await page.getByRole("menuitem", { name: "Withdraw" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("No tenders yet")).toBeVisible();
}
