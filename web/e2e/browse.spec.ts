// Browsing: Home, the listing and its filters, a tender's details with the clip, and unknown pages.

import { cards, expect, PRINTED_TENDER, test } from "./fixtures.ts";

test("Home counts the tenders, and links to registration and to the listing", async ({ page, stats }) => {
  await page.goto("/");
  await expect(page.getByRole("status", { name: "Connection: Connected" })).toBeVisible();
  const counters = page.getByRole("region", { name: "The portal today" });
  for (const [label, count] of [
    ["Today's Tenders", stats.todayTenders],
    ["Live Tenders", stats.liveTenders],
    ["Closed Tenders", stats.closedTenders],
    ["All Tenders", stats.totalTenders],
  ] as const) {
    const counter = counters.locator("div", { has: page.getByText(label, { exact: true }) }).last();
    await expect(counter.getByRole("definition")).toHaveText(String(count));
  }
  await page.getByRole("link", { name: "Register as buyer" }).click();
  await expect(page.getByRole("heading", { name: "Register as a buyer" })).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "View tenders" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    `PUBLISHED TENDERS: ${stats.totalTenders}`,
  );
});

test("Home shows printed notices, what closes soon and who buys, and searches", async ({ page, stats }) => {
  expect(stats.liveTenders).toBeGreaterThan(0);
  await page.goto("/");
  const clip = page.getByRole("img", { name: /^Newspaper clip from / }).first();
  await expect.poll(() => clip.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(50);
  const section = (name: string) => page.locator("section", { has: page.getByRole("heading", { name }) });
  await expect(section("Newspapers we read").getByRole("listitem").first()).toContainText(/\d+ notices?/);
  await expect(section("Who is buying now").getByRole("listitem").first()).toContainText(/\d+ open tender/);
  await expect(section("Plans and prices")).toContainText("LKR 2,000");
  const field = page.getByRole("combobox", { name: "Search in tenders" });
  await field.fill("road");
  await field.press("Enter");
  await expect(page).toHaveURL(/\/tenders\?search=road$/);
  await page.goBack();
  const next = section("Closing soon").getByRole("listitem").first().getByRole("link");
  const title = (await next.textContent()) ?? "";
  await next.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
});

test("the listing shows ten tenders a page, and every page has an address", async ({ page, stats }) => {
  await page.goto("/tenders");
  await expect(cards(page)).toHaveCount(10);
  await expect(page.getByText(`Showing 1 - 10 of ${stats.totalTenders} tenders`)).toBeVisible();
  const first = await cards(page).first().getByRole("heading").textContent();
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/[?&]page=2$/);
  await expect(page.getByText(/^Showing 11 - /)).toBeVisible();
  await expect(pages.getByRole("link", { name: "Page 2" })).toHaveAttribute("aria-current", "page");
  await page.reload();
  await expect(page.getByText(/^Showing 11 - /)).toBeVisible();
  await pages.getByRole("link", { name: "Previous" }).click();
  await expect(cards(page).first().getByRole("heading")).toHaveText(first ?? "");
});

test("a text search finds a tender, and the badge clears the search", async ({ page, stats }) => {
  await page.goto("/tenders");
  const title = (await cards(page).first().getByRole("heading").textContent()) ?? "";
  const search = page.getByRole("combobox", { name: "Search in tenders" });
  await search.fill(title);
  await search.press("Enter");
  await expect(page).toHaveURL(/search=/);
  await expect(cards(page).first().getByRole("heading")).toHaveText(title);
  await page.getByRole("button", { name: /^Clear the filter/ }).click();
  await expect(page).toHaveURL(/\/tenders$/);
  await expect(search).toHaveValue("");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    `PUBLISHED TENDERS: ${stats.totalTenders}`,
  );
});

test("a search without results offers all tenders instead of an error", async ({ page, stats }) => {
  await page.goto(`/tenders?search=${encodeURIComponent('zxqv \u0000 "unclosed (\\ qqqq')}`);
  await expect(page.getByRole("heading", { name: "No tenders found" })).toBeVisible();
  await page.getByRole("button", { name: "Show all tenders" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    `PUBLISHED TENDERS: ${stats.totalTenders}`,
  );
});

test("a sector and the stat cards filter by what they count and exclude each other", async ({
  page,
  stats,
}) => {
  await page.goto("/tenders");
  const heading = page.getByRole("heading", { level: 1 });
  await page.getByRole("button", { name: /^Construction \d+$/ }).click();
  const construction = stats.sectorStats.find(({ _id }) => _id === "construction")?.count ?? 0;
  expect(construction, "tenders of construction").toBeGreaterThan(0);
  await expect(heading).toHaveText(`PUBLISHED TENDERS: ${construction}`);
  await expect(page).toHaveURL(/category=construction$/);

  for (const [name, count, show] of [
    ["Live", stats.liveTenders, "live"],
    ["Closed", stats.closedTenders, "closed"],
    ["Today", stats.todayTenders, "today"],
  ] as const) {
    const card = page
      .getByRole("group", { name: "Show" })
      .getByRole("button", { name: new RegExp(`${name}$`) });
    await expect(card).toHaveText(new RegExp(`^${count}`));
    await card.click();
    await expect(page).toHaveURL(new RegExp(`\\?show=${show}$`));
    await expect(card).toHaveAttribute("aria-pressed", "true");
    await expect(heading).toHaveText(`PUBLISHED TENDERS: ${count}`);
  }
});

test("an opened card shows the fields, the full text and the clip", async ({ page }) => {
  await page.goto(PRINTED_TENDER);
  const card = cards(page).first();
  await card.getByRole("button", { name: /^View Details/ }).click();
  await expect(card.getByText("Reference number")).toBeVisible();
  await expect(card.getByRole("heading", { name: "Full text of the notice" })).toBeVisible();
  await expect(card.locator(".notice-text")).not.toBeEmpty();
  const clip = card.getByRole("img", { name: /^Newspaper clip of the notice/ });
  await expect(clip).toBeVisible();
  await expect
    .poll(() => clip.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 50))
    .toBe(true);
  await card.getByRole("button", { name: /^Hide Details/ }).click();
  await expect(clip).toBeHidden();
});

test("a tender has a page of its own", async ({ page }) => {
  await page.goto("/tenders");
  const card = cards(page).first();
  const title = (await card.getByRole("heading").textContent()) ?? "";
  await card.getByRole("button", { name: /^View Details/ }).click();
  await card.getByRole("link", { name: "Link to this tender" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page).toHaveTitle(`${title} · Serendib Tenders`);
});

test("an unknown address shows the not-found page", async ({ page }) => {
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { name: "Oops! Page not found" })).toBeVisible();
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("a listing that fails to load says so in place and is retried on request", async ({ page, stats }) => {
  await page.route("**/api/tenders?*", (route) => route.fulfill({ status: 400, body: "<html>no JSON" }));
  // The server's page for the listing already contains the tenders. From Home, the app has to
  // request them.
  await page.goto("/");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Tenders", exact: true })
    .click();
  await expect(page.getByRole("alert")).toContainText("Error loading tenders: Failed to load tenders");
  await page.unroute("**/api/tenders?*");
  await page.getByRole("alert").getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    `PUBLISHED TENDERS: ${stats.totalTenders}`,
  );
});
