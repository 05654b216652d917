// The base of every browser test: a page that collects its errors, the portal's statistics for
// comparison, and steps and checks that the tests share.

import AxeBuilder from "@axe-core/playwright";
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from "@playwright/test";
import { findMailedLink } from "./accounts.ts";
import { stubGoogle } from "./google.ts";
import { PASSWORD, readLog } from "./portal.ts";

interface Stats {
  totalTenders: number;
  todayTenders: number;
  liveTenders: number;
  closedTenders: number;
  sectorStats: { _id: string; name: string; count: number }[];
}

/** Opens a page in another browser context, like that of another user. */
export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>;

interface Fixtures {
  /** Prints what the portal logged about failures during a test that fails. */
  failureLog: undefined;
  /** Errors of scripts and of the console. A test with errors in this list fails when it ends. */
  pageErrors: string[];
  stats: Stats;
  /** Opens other pages, and closes them when the test ends. */
  openPage: OpenPage;
}

/** Console errors that the app does not cause. */
const ignoredErrors = [
  // The browser logs this for a refused call, which the app handles.
  "Failed to load resource",
  // The mail preview blocks all scripts, including the test runner's.
  "Blocked script execution in 'about:srcdoc'",
];

/** A line of the portal's log about something wrong, a refused request included. */
const FAILURE_LINE = / (WARN|ERROR) |status=[45]/;

export const test = base.extend<Fixtures>({
  failureLog: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright finds fixtures by this pattern.
    async ({}, use, info) => {
      const before = readLog().length;
      await use(undefined);
      if (info.status === info.expectedStatus) return;
      const lines = readLog().slice(before).split("\n");
      const failures = lines.filter((line) => FAILURE_LINE.test(line)).slice(-40);
      console.log([`The portal's log of "${info.title}":`, ...failures].join("\n"));
    },
    { auto: true },
  ],
  pageErrors: [
    async ({ page, context }, use) => {
      await stubGoogle(context);
      const pageErrors: string[] = [];
      page.on("pageerror", (error) => pageErrors.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !ignoredErrors.some((start) => message.text().startsWith(start))) {
          pageErrors.push(message.text());
        }
      });
      await use(pageErrors);
      expect(pageErrors, "errors in the page").toEqual([]);
    },
    { auto: true },
  ],
  openPage: [
    async ({ browser, context }, use) => {
      const contexts: BrowserContext[] = [];
      await use(async (options) => {
        const opened = await browser.newContext(options);
        contexts.push(opened);
        return await opened.newPage();
      });
      await Promise.all(contexts.map((opened) => opened.close()));
      // An open page would go on calling the portal during the following tests.
      expect(browser.contexts(), "contexts that openPage does not close").toEqual([context]);
    },
    { auto: true },
  ],
  stats: async ({ request }, use) => {
    // The index lags behind the database, so wait until it contains the tenders.
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

/** Signs out, and waits until the session has ended. Otherwise the next page could interrupt the sign-out. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
}

/** Signs in through the API. The page has the session from the next navigation on. */
export async function startSession(page: Page, email: string): Promise<void> {
  // A sign-in ends the browser's earlier session. A page of the app would react to that by itself.
  await page.goto("/mark.svg");
  const response = await page.request.post("/api/auth/login", { data: { email, password: PASSWORD } });
  expect(response.status(), await response.text()).toBe(200);
  await storeSession(page, (await response.json()).data);
}

/** Stores a session as the app does, in a document of the same origin without scripts. */
async function storeSession(page: Page, session: { token: string; refreshToken: string }): Promise<void> {
  const claims = JSON.parse(Buffer.from(session.token.split(".")[1] ?? "", "base64url").toString());
  await page.goto("/mark.svg");
  await page.evaluate(
    ([token, refreshToken, expiry]) => {
      localStorage.setItem("auth_token", token);
      localStorage.setItem("refresh_token", refreshToken);
      localStorage.setItem("token_expiry", expiry);
    },
    [session.token, session.refreshToken, String(claims.exp)] as const,
  );
}

/**
 * The address of a search that finds one tender: a fixture notice with a clip and with evidence for
 * its closing date. The first tender of the whole listing may be another test's. No test publishes
 * another print of this notice, with which the evidence would lose its place on the clip.
 */
export const PRINTED_TENDER = `/tenders?search=${encodeURIComponent('"D225 Canal Road"')}`;

/** The cards of the listing. */
export function cards(page: Page) {
  return page.getByRole("region", { name: "Tenders" }).getByRole("article");
}

/**
 * A random word of lower-case letters, for names and titles that no other test uses. The portal splits
 * a text between a letter and a digit, so a text with random digits has a random number of words.
 */
export function uniqueWord(letters = 8): string {
  const bytes = crypto.getRandomValues(new Uint8Array(letters));
  return Array.from(bytes, (byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

/** The rules of axe that depend on colours. They depend on the theme, but not on the language. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Which of axe's rules to apply. */
type AxeRules = "all" | "colours" | "without colours";

/** Expects axe to find no violations in the current state of the page. */
export async function expectNoViolations(page: Page, rules: AxeRules = "all"): Promise<void> {
  // The navigation bar would cover a part of what has been scrolled below it.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
  // In legacy mode, axe opens no second page. Only iframes of other origins would need that page.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  if (rules === "colours") axe.withRules(COLOUR_RULES);
  else axe.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
  if (rules === "without colours") axe.disableRules(COLOUR_RULES);
  const { violations, passes } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  expect(found, page.url()).toEqual([]);
  expect(passes.length, `axe checked nothing at ${page.url()}`).toBeGreaterThan(0);
}

/**
 * Expects no violations in either theme. The dark theme differs in colours only, so only the rules
 * on colours are repeated.
 */
export async function expectNoViolationsInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await expect(page.locator("html")).toHaveCSS("color-scheme", "light");
  await expectNoViolations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
  await expectNoViolations(page, "colours");
  await page.emulateMedia({ colorScheme: "light" });
}

/**
 * Registers a new supplier with a confirmed address through the API. Each test needs quotas and
 * lists of its own, and only a confirmed account can publish. The page has the session from the
 * next navigation on. Returns the mail address.
 */
export async function registerSupplier(page: Page): Promise<string> {
  const email = `sunil.${crypto.randomUUID()}@example.lk`;
  const registration = {
    firstName: "Sunil",
    lastName: "Fernando",
    email,
    company: "Fernando Works",
    password: PASSWORD,
    role: "supplier",
    acceptedTerms: true,
  };
  const registered = await page.request.post("/api/auth/register", { data: registration });
  expect(registered.ok(), await registered.text()).toBe(true);
  const link = new URL(await findMailedLink(page.request, email, "verify-email"), "http://localhost");
  const token = link.searchParams.get("token");
  const confirmed = await page.request.post("/api/auth/verify-email", { data: { token } });
  expect(confirmed.ok()).toBe(true);
  await storeSession(page, (await registered.json()).data);
  return email;
}

/**
 * Withdraws the only tender of a supplier, so that the following tests see only the newspapers'
 * tenders.
 */
export async function withdrawTender(page: Page, title: string): Promise<void> {
  await page.goto("/supplier/dashboard");
  await page.getByRole("button", { name: `More for ${title}` }).click();
  await page.getByRole("menuitem", { name: "Withdraw" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  const own = page.getByRole("list", { name: "My Tenders" });
  await expect(own.getByText("Withdrawn", { exact: true })).toBeVisible();
}
