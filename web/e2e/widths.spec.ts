// No page is wider than its window, from the narrowest phone to a small laptop. At double zoom, a
// window of 1280 pixels is 640 wide.

import type { Page } from "@playwright/test";
import type { Tender } from "../src/api/types.ts";
import { expect, startSession, test } from "./fixtures.ts";
import { FORM_STEPS, openStep, publishTender } from "./tenderForm.ts";

const PAGES = [
  "/",
  "/tenders",
  "/pricing",
  "/subscription/success",
  "/subscription/cancel",
  "/awards",
  "/buyers",
  "/market",
  "/market/districts/galle",
  "/market/sectors/it",
  "/about",
  "/contact",
  "/terms",
  "/privacy",
  "/join?token=x",
  "/account",
  "/account/company",
  "/account/notifications",
  "/account/security",
  "/account/team",
  "/account/data",
  "/bids",
  "/bids/calendar",
  "/saved",
  "/reports",
  "/alert-settings",
  "/welcome",
  "/supplier/dashboard",
  "/supplier/add-tender",
];

test("no page is wider than its window", async ({ page }) => {
  await startSession(page, "supplier@demo.test");
  const wide: string[] = [];
  for (const address of PAGES) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    for (const width of [320, 390, 640, 768, 1024, 1180]) {
      await page.setViewportSize({ width, height: 800 });
      // The window is narrow before the styles for its new width apply.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) wide.push(`${address} at ${width}: ${over} too wide`);
    }
  }
  // The search field stays wide enough on the narrowest phone.
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto("/tenders");
  const field = await page.getByRole("combobox", { name: "Search in tenders" }).boundingBox();
  expect(field?.width).toBeGreaterThan(150);
  expect(wide).toEqual([]);
});

// The words of these languages are longer.
for (const language of ["si", "ta"]) {
  test(`no page is wider than the narrowest phone in ${language}`, async ({ page }) => {
    test.setTimeout(90_000);
    await startSession(page, "professional@demo.test");
    await page.addInitScript((chosen) => localStorage.setItem("language", chosen), language);
    await page.setViewportSize({ width: 320, height: 800 });
    const wide: string[] = [];
    for (const address of PAGES) {
      await page.goto(address);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("#root h1").first()).toBeVisible();
      await expect(page.locator(".first-page, .skeleton")).toHaveCount(0);
      await page.evaluate(() => document.fonts.ready);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) wide.push(`${address}: ${over} too wide`);
    }
    expect(wide).toEqual([]);
  });
}

test("no step of the tender form is wider than a phone", async ({ page }) => {
  await startSession(page, "supplier@demo.test");
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto("/supplier/add-tender");
  await page.getByLabel("Title").fill("Rehabilitation_of_provincial_roads_and_bridges_".repeat(4));
  await page.getByRole("button", { name: "Add a lot" }).click();
  await openStep(page, "Who may bid");
  await page.getByRole("button", { name: "Add a grade" }).click();
  await publishTender(page);
  const wide: string[] = [];
  page.on("dialog", (dialog) => void dialog.accept());
  for (const language of ["en", "si", "ta"]) {
    await page.evaluate((chosen) => localStorage.setItem("language", chosen), language);
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    const steps = page.locator('nav:has([aria-current="step"])').getByRole("button");
    await expect(steps).toHaveCount(FORM_STEPS.length);
    await page.evaluate(() => document.fonts.ready);
    for (const [at, step] of FORM_STEPS.entries()) {
      await steps.nth(at).click();
      await expect(steps.nth(at)).toHaveAttribute("aria-current", "step");
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) wide.push(`${step} in ${language}: ${over} too wide`);
    }
  }
  expect(wide).toEqual([]);
});

test("the menu of a phone opens, closes with Escape, and its links work", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  const menu = page.getByRole("button", { name: "Open the menu" });
  await menu.click();
  await expect(page.getByRole("link", { name: "About", exact: true }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await menu.click();
  await page.getByRole("link", { name: "Contact", exact: true }).first().click();
  await expect(page).toHaveURL(/\/contact$/);
  await expect(menu).toBeVisible();
});

test("in no language is the navigation bar wider than a desktop window", async ({ page }) => {
  await startSession(page, "professional@demo.test");
  const wide: string[] = [];
  for (const language of ["en", "si", "ta"]) {
    await page.evaluate((chosen) => localStorage.setItem("language", chosen), language);
    await page.goto("/about");
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await page.evaluate(() => document.fonts.ready);
    for (const width of [1024, 1280, 1366, 1440, 1536, 1728, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) wide.push(`${language} at ${width}: ${over} too wide`);
    }
  }
  expect(wide).toEqual([]);
});

test("every desktop shows the links and the language in the bar, in every language", async ({ page }) => {
  await startSession(page, "professional@demo.test");
  for (const language of ["en", "si", "ta"]) {
    await page.evaluate((chosen) => localStorage.setItem("language", chosen), language);
    await page.goto("/about");
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    const bar = page.getByRole("banner");
    for (const width of [1024, 1280, 1366, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(bar.getByRole("link").nth(5), `${language} at ${width}`).toBeVisible();
      for (const short of ["සිං", "த", "EN"]) {
        await expect(bar.getByText(short, { exact: true }), `${language} at ${width}`).toBeVisible();
      }
      await expect(bar.locator(".nav-menu"), `${language} at ${width}`).toBeHidden();
    }
    // From the width of a common laptop on, the bar has one row.
    for (const width of [1366, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await bar.boundingBox())?.height, `${language} at ${width}`).toBeLessThan(70);
    }
  }
});

test("no desktop cuts the greeting to less than ten letters of the name", async ({ page }) => {
  await startSession(page, "enterprise@demo.test");
  for (const language of ["en", "si", "ta"]) {
    await page.evaluate((chosen) => localStorage.setItem("language", chosen), language);
    await page.goto("/about");
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await page.evaluate(() => document.fonts.ready);
    const greeting = page.getByRole("banner").getByTitle("Enterprise Demo").locator("span");
    for (const width of [1024, 1280, 1366, 1440, 1536]) {
      await page.setViewportSize({ width, height: 800 });
      // The width of the greeting with the first ten letters, measured in its own font.
      const [shown, needed] = await greeting.evaluate((span) => {
        const short = span.cloneNode() as HTMLElement;
        short.textContent = (span.textContent ?? "").replace("Enterprise Demo", "Enterprise");
        short.style.cssText = "position: absolute; white-space: nowrap";
        span.after(short);
        const needed = short.getBoundingClientRect().width;
        short.remove();
        return [span.getBoundingClientRect().width, needed];
      });
      expect(shown, `${language} at ${width}`).toBeGreaterThanOrEqual(needed);
    }
  }
});

test("a tender and an alert with long words fit a phone", async ({ page, request }) => {
  await startSession(page, "professional@demo.test");
  const token = await page.evaluate(() => localStorage.getItem("auth_token"));
  const headers = { authorization: `Bearer ${token}` };
  const name = `Rehabilitation_of_provincial_roads_and_bridges_${crypto.randomUUID()}`;
  const data = {
    name,
    keywords: [{ term: "Anuradhapura-Polonnaruwa-Trincomalee-Batticaloa-A", matchType: "contains" }],
    emailSettings: { enabled: false, frequency: "daily" },
  };
  const made = await request.post("/api/alerts", { headers, data });
  const { _id } = (await made.json()).data.alert;
  const list = await (await request.get("/api/tenders?limit=1", { headers })).json();
  const wide: string[] = [];
  for (const language of ["en", "ta"]) {
    await page.evaluate((chosen) => localStorage.setItem("language", chosen), language);
    for (const address of ["/alert-settings", `/tenders/${list.data.tenders[0]._id}`]) {
      await page.goto(address);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      const loaded = address === "/alert-settings" ? page.getByText(name) : page.locator("dl").first();
      await expect(loaded.first()).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 800 });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (over > 0) wide.push(`${address} at ${width}: ${over} too wide`);
      }
    }
  }
  await request.delete(`/api/alerts/${_id}`, { headers });
  expect(wide).toEqual([]);
});

// Which columns and rows a tender's page has depends on its notice.
test("the page of each tender of the list fits a phone", async ({ page, request }) => {
  test.setTimeout(120_000);
  await startSession(page, "professional@demo.test");
  const token = await page.evaluate(() => localStorage.getItem("auth_token"));
  const headers = { authorization: `Bearer ${token}` };
  const list = await (await request.get("/api/tenders?limit=20&isLive=true", { headers })).json();
  const tenders: Tender[] = list.data.tenders;
  expect(tenders.some(({ fieldStates }) => Object.keys(fieldStates ?? {}).length > 0)).toBe(true);
  const wide: string[] = [];
  for (const language of ["en", "ta"]) {
    await page.evaluate((chosen) => localStorage.setItem("language", chosen), language);
    for (const { _id, title } of tenders) {
      await page.goto(`/tenders/${_id}`);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("main dl").first()).toBeVisible();
      await expect(page.locator(".first-page, .skeleton")).toHaveCount(0);
      await page.evaluate(() => document.fonts.ready);
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 800 });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (over > 0) wide.push(`“${title}” in ${language} at ${width}: ${over} too wide`);
      }
    }
  }
  expect(wide).toEqual([]);
});

test("the table of the costs of a tender fits a phone", async ({ page, request }) => {
  await startSession(page, "professional@demo.test");
  const token = await page.evaluate(() => localStorage.getItem("auth_token"));
  const headers = { authorization: `Bearer ${token}` };
  const list = await (await request.get("/api/tenders?limit=50&isLive=true", { headers })).json();
  const tenders: Tender[] = list.data.tenders;
  const tender = tenders.find((one) => one.documentFee?.amount && one.financials?.bidBond?.amount);
  const wide: string[] = [];
  for (const language of ["si", "ta"]) {
    await page.evaluate((chosen) => localStorage.setItem("language", chosen), language);
    await page.goto(`/tenders/${tender?._id}`);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page.getByRole("table").getByRole("row").first()).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) wide.push(`${language} at ${width}: ${over} too wide`);
      // No cell is printed over another one of its row.
      const overlaps = await page.getByRole("table").evaluate(
        (table) =>
          [...table.querySelectorAll("tbody tr, tfoot tr")].filter((row) => {
            const boxes = [...row.children].map((cell) => cell.getBoundingClientRect());
            return boxes.some((one, at) =>
              boxes.some(
                (other, next) =>
                  at < next &&
                  one.left < other.right - 1 &&
                  other.left < one.right - 1 &&
                  one.top < other.bottom - 1 &&
                  other.top < one.bottom - 1,
              ),
            );
          }).length,
      );
      if (overlaps > 0) wide.push(`${language} at ${width}: ${overlaps} rows overlap`);
    }
  }
  expect(wide).toEqual([]);
});

test("a board with bids fits a phone", async ({ page, request }) => {
  await startSession(page, "professional@demo.test");
  const token = await page.evaluate(() => localStorage.getItem("auth_token"));
  const headers = { authorization: `Bearer ${token}` };
  const list = await (await request.get("/api/tenders?limit=1&isLive=true", { headers })).json();
  const data = { tenderId: list.data.tenders[0]._id };
  const added = await request.post("/api/bids", { headers, data });
  const bid = (await added.json()).data?.bid;
  const wide: string[] = [];
  for (const language of ["en", "ta"]) {
    await page.evaluate((chosen) => localStorage.setItem("language", chosen), language);
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto("/bids");
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("article").first()).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) wide.push(`${language} at ${width}: ${over} too wide`);
    }
  }
  if (bid) await request.delete(`/api/bids/${bid._id}`, { headers });
  expect(wide).toEqual([]);
});

/** Waits until the app has replaced the server's page, which has no footer. */
async function appStarted(page: Page) {
  await expect(page.locator("footer")).toBeAttached();
}

for (const language of ["en", "ta"]) {
  test(`a phone shows two tenders without scrolling in ${language}`, async ({ page }) => {
    const height = 844;
    await page.addInitScript((chosen) => localStorage.setItem("language", chosen), language);
    await page.setViewportSize({ width: 390, height });
    // What other tests publish closes last, so it is not measured.
    for (const address of ["/tenders?sort=closing", "/tenders?search=road"]) {
      await page.goto(address);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await appStarted(page);
      const second = page.getByRole("article").nth(1).getByRole("heading");
      await expect(second).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      // A card is laid out in the frame after the one that adds it.
      const bottom = async () => {
        const title = await second.boundingBox();
        return title ? title.y + title.height : height;
      };
      await expect.poll(bottom, address).toBeLessThan(height);
      // The filters, the order and the tools share a row, so the first card follows it at once.
      const order = await page.locator("select:visible").last().boundingBox();
      const first = await page.getByRole("article").first().boundingBox();
      expect((first?.y ?? height) - (order?.y ?? 0), address).toBeLessThan(100);
    }
  });
}

test("a laptop shows five tenders without scrolling", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/tenders?sort=closing");
  await appStarted(page);
  const fifth = page.getByRole("article").nth(4).getByRole("heading");
  await expect(fifth).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  await expect.poll(async () => (await fifth.boundingBox())?.y ?? 800).toBeLessThan(800);
});

test("Home is short on a phone, and begins with the search", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Closing soon" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Plans and prices" })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  const field = await page.getByRole("combobox", { name: "Search in tenders" }).boundingBox();
  expect(field?.y).toBeLessThan(300);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4700);
});
