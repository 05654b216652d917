// What every browser test starts from: a page that reports what went wrong in it, and the portal's own figures to compare
// with.

import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { standInForGoogle } from "./google.ts";
import { linkTo } from "./people.ts";
import { PASSWORD } from "./portal.ts";

interface Stats {
  totalTenders: number;
  todayTenders: number;
  liveTenders: number;
  closedTenders: number;
  sectorStats: { _id: string; name: string; count: number }[];
}

interface Fixtures {
  /** Errors of scripts and of the console; asserted to be none after each test, unless a test empties the list. */
  complaints: string[];
  stats: Stats;
}

/** What the browser logs although all is as it should be. */
const expected = [
  // A refused call is an answer, which the app handles.
  "Failed to load resource",
  // The preview of a mail lets no script run, not even the test runner's.
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
    // The index follows the database: all is counted when something is.
    await expect
      .poll(async () => (await (await request.get("/api/tenders/stats")).json()).data.totalTenders, {
        timeout: 30_000,
      })
      .toBeGreaterThan(10);
    await use((await (await request.get("/api/tenders/stats")).json()).data);
  },
});

export { expect };

/** Signs in through the form, as a person does. */
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

/** What axe finds wrong with the page as it stands: nothing. */
export async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  expect(found, page.url()).toEqual([]);
}

/** A supplier of its own for each test, its address confirmed: quotas and lists are an account's, and only a confirmed one publishes. */
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

/** Withdraws a supplier's tender, so that the listing is the newspapers' again for the tests that follow. */
export async function withdraw(page: Page, title: string): Promise<void> {
  await page.goto("/supplier/dashboard");
  await page.getByRole("button", { name: `More for ${title}` }).click();
  await page.getByRole("menuitem", { name: "Withdraw" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("No tenders yet")).toBeVisible();
}
