// A contractor's way, from the first look at the portal to a bid in the calendar: search, ask for an alert,
// sign up, confirm, pay, read the mail, put the tender on the board and find it in the calendar. Once with a
// mouse on a wide screen, and once with the keys alone on the narrowest phone. The clicks, keys and seconds
// are attached to the report.

import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { findMailedLink } from "./accounts.ts";
import { type OpenPage, registerSupplier, test, uniqueWord, withdrawTender } from "./fixtures.ts";
import { PASSWORD } from "./portal.ts";
import { fillTenderForm, openStep, publishTender } from "./tenderForm.ts";

/** How a person works on a page. */
interface Hand {
  /** Activates a link or a button. */
  press(target: Locator): Promise<void>;
  /** Writes into a field. */
  write(target: Locator, text: string): Promise<void>;
  /** Chooses the option that begins with `text`. */
  choose(target: Locator, text: string): Promise<void>;
  /** What was done so far, in words. */
  effort(): string;
}

/** Works with a mouse, and with the keys only for text. */
function mouse(): Hand {
  let clicks = 0;
  return {
    async press(target) {
      clicks += 1;
      await target.click();
    },
    async write(target, text) {
      clicks += 1;
      await target.fill(text);
    },
    async choose(target, text) {
      clicks += 2;
      await target.selectOption(text);
    },
    effort: () => `${clicks} clicks`,
  };
}

/** A page with more stops than this is unusable with the keys. */
const MOST_STOPS = 120;

/** Works with the keys alone. */
function keyboard(page: Page): Hand {
  let stops = 0;
  let keys = 0;
  const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);
  const reach = async (target: Locator) => {
    await expect(target).toBeVisible();
    for (let nth = 0; nth < MOST_STOPS; nth += 1) {
      if (await isFocused(target)) return;
      await page.keyboard.press("Tab");
      stops += 1;
    }
    throw new Error(`${target} is not reached by ${MOST_STOPS} presses of Tab`);
  };
  const type = async (text: string) => {
    await page.keyboard.type(text);
    keys += text.length;
  };
  return {
    async press(target) {
      await reach(target);
      const isBox = await target.evaluate((element) => element instanceof HTMLInputElement);
      await page.keyboard.press(isBox ? "Space" : "Enter");
      keys += 1;
    },
    async write(target, text) {
      await reach(target);
      await page.keyboard.press("Control+A");
      await type(text);
      await expect(target).toHaveValue(text);
    },
    async choose(target, text) {
      await reach(target);
      await type(text);
    },
    effort: () => `${stops} presses of Tab and ${keys} other keys`,
  };
}

/** Midnight UTC of the Sri Lankan day in `count` days. */
const inDays = (count: number) =>
  new Date(Math.floor((Date.now() + 5.5 * 3_600_000) / 86_400_000 + count) * 86_400_000);

/** The number of a day within its week, which begins on Monday. */
const weekday = (day: Date) => (day.getUTCDay() + 6) % 7;

/** Publishes a tender that closes in three days. */
async function publish(page: Page, title: string): Promise<void> {
  await page.goto("/supplier/add-tender");
  await fillTenderForm(page, title);
  await openStep(page, "Dates and places");
  await page.getByLabel("Closing date").fill(inDays(3).toISOString().slice(0, 10));
  await publishTender(page);
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
}

/** Walks the whole way. Pages are opened by their address only where a person follows a link of a mail. */
async function walk(page: Page, hand: Hand, openPage: OpenPage, isNarrow: boolean): Promise<void> {
  const word = uniqueWord();
  const title = `Supply of ${word}`;
  const main = page.getByRole("main");
  const expectFits = async () => {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over, `${page.url()} is wider than its window`).toBeLessThanOrEqual(0);
  };
  await page.goto("/");
  await hand.write(page.getByRole("combobox", { name: "Search in tenders" }), word);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/tenders\?search=/);
  await expectFits();
  await hand.press(page.getByRole("link", { name: "E-mail me when one is published" }));

  const email = `nirmala.${crypto.randomUUID()}@example.lk`;
  await hand.write(page.getByLabel("First name"), "Nirmala");
  await hand.write(page.getByLabel("Last name"), "Perera");
  await hand.write(page.getByLabel("E-mail"), email);
  await hand.write(page.getByLabel("Password", { exact: true }), PASSWORD);
  await hand.write(page.getByLabel("Repeat the password"), PASSWORD);
  await hand.press(page.getByLabel(/I agree/));
  await expectFits();
  await hand.press(page.getByRole("button", { name: "Create account" }));
  await expect(main.getByText(`we sent a link to ${email}`)).toBeVisible();
  await page.goto(await findMailedLink(page.request, email, "verify-email"));
  await hand.press(page.getByRole("button", { name: "Confirm my address" }));
  await hand.press(page.getByRole("link", { name: "Continue with your alert" }));
  await expectFits();
  await hand.press(page.getByRole("link", { name: "View Pricing Plans" }));
  const plan = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "Professional", exact: true }) });
  await hand.press(plan.getByRole("button", { name: "Subscribe Now" }));
  await hand.write(page.getByLabel("Card number"), "4242424242424242");
  await hand.write(page.getByLabel("Expiry"), "12/34");
  await hand.write(page.getByLabel("CVC"), "123");
  await expectFits();
  await hand.press(page.getByRole("button", { name: "Pay", exact: true }));
  await expect(page.getByText(/^Professional is active until /)).toBeVisible();
  await hand.press(page.getByRole("link", { name: "Open your alert" }));
  const form = page.getByRole("region", { name: "Create New Alert Configuration" });
  await hand.choose(form.getByLabel("Frequency"), "immediate");
  await expectFits();
  await hand.press(form.getByRole("button", { name: "Create Alert" }));
  await expect(page.getByText("Alert configuration created successfully!")).toBeVisible();

  const supplier = await openPage();
  await registerSupplier(supplier);
  await publish(supplier, title);
  await page.goto(await findBidLink(page, email, title));
  const board = page.getByRole("region", { name: "Considering", exact: true });
  await expect(board.getByRole("article", { name: title })).toBeVisible();
  await expectFits();
  await hand.press(board.getByRole("link", { name: title }));
  await expect(page.getByRole("region", { name: "Deadlines" })).toContainText("Bids close");
  await hand.write(page.getByLabel("New task"), "Buy the documents");
  await hand.press(page.getByRole("button", { name: "Add the task" }));
  await expect(page.getByRole("checkbox", { name: "Buy the documents" })).toBeVisible();
  await expectFits();
  await hand.press(main.getByRole("link", { name: "Bids", exact: true }));
  await hand.press(page.getByRole("link", { name: "Closings calendar" }));
  const entry = main.getByRole("link", { name: new RegExp(word) }).first();
  const week = page.getByRole("button", { name: "Week", exact: true });
  if (isNarrow) {
    // A narrow window lists the days from today, and has no weeks.
    await expect(week).toBeHidden();
  } else {
    await hand.press(week);
    await expect(page.getByRole("heading", { level: 2, name: /^Week of/ })).toBeVisible();
    const isNextWeek = weekday(inDays(3)) < weekday(inDays(0));
    if (isNextWeek) await hand.press(page.getByRole("button", { name: "Next week" }));
  }
  await expect(entry).toBeVisible();
  await expectFits();
  await hand.press(page.getByRole("button", { name: "Get the address" }));
  await expect(page.getByText(/\/api\/feeds\/calendar\/[\w-]{43}\.ics$/)).toBeVisible();
  await withdrawTender(supplier, title);
}

/** Waits for the alert's mail and returns its link "I intend to bid". */
async function findBidLink(page: Page, email: string, title: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        const mails = (await (await page.request.get("/dev/mail.json")).json()) as {
          to: string;
          text: string;
        }[];
        const mine = mails.find(({ to, text }) => to.includes(email) && text.includes(title));
        link = mine?.text.match(/I intend to bid: (\S+)/)?.[1];
        return link;
      },
      { timeout: 45_000 },
    )
    .toBeTruthy();
  const url = new URL(link ?? "");
  return url.pathname + url.search;
}

for (const { name, width, hand } of [
  { name: "with a mouse on a wide screen", width: 1280, hand: mouse },
  { name: "with the keys alone on the narrowest phone", width: 320, hand: keyboard },
]) {
  test(`a contractor finds a tender and prepares the bid ${name}`, async ({ page, openPage }) => {
    test.setTimeout(180_000);
    await page.setViewportSize({ width, height: 800 });
    const [used, begin] = [hand(page), Date.now()];
    await walk(page, used, openPage, width < 768);
    const effort = `${used.effort()}, ${Math.round((Date.now() - begin) / 1000)} seconds`;
    base.info().annotations.push({ type: "effort", description: effort });
    console.log(`${name}: ${effort}`);
  });
}
