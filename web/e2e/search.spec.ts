// Search: suggestions while typing, highlighted matches, filters, similar tenders. Also the
// intention to bid, and highlights on a clip.

import { cards, expect, PRINTED_TENDER, startSession, test } from "./fixtures.ts";

test("Enter searches the typed text, or the suggestion that is chosen with the arrow keys", async ({
  page,
}) => {
  await page.goto("/tenders");
  const search = page.getByRole("combobox", { name: "Search in tenders" });
  await search.pressSequentially("gall");
  const galle = page.getByRole("option", { name: "Galle District" });
  await expect(galle).toBeVisible();
  // The first suggestion is the input itself.
  await search.press("Enter");
  await expect(page).toHaveURL(/[?&]search=gall$/);
  // The address changes before the page does, so wait for the page.
  await expect(page.getByRole("button", { name: /^Clear the filter/ })).toBeVisible();
  await search.fill("");
  await search.pressSequentially("gall");
  await expect(galle).toBeVisible();
  const options = page.getByRole("option");
  const place = (await options.allTextContents()).indexOf("GalleDistrict");
  expect(place).toBeGreaterThan(0);
  for (let presses = 0; presses < place; presses += 1) await search.press("ArrowDown");
  await search.press("Enter");
  // A district filters instead of being searched for.
  await expect(page).toHaveURL(/\/tenders\?districts=Galle$/);
  await expect(search).toHaveValue("");
  await expect(page.getByRole("button", { name: "Clear the filter: Galle" })).toBeVisible();
});

test("everybody filters by district, and hides closed tenders until it is undone", async ({ page }) => {
  await page.goto("/tenders");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/TENDERS: \d+$/);
  const all = (await heading.textContent()) ?? "";
  await page.getByRole("button", { name: "All districts" }).click();
  const galle = page.getByRole("checkbox", { name: /^Galle \d+$/ });
  await galle.check();
  await expect(page).toHaveURL(/districts=Galle$/);
  await expect(heading).not.toHaveText(all);
  await page.keyboard.press("Escape");
  await expect(galle).toBeHidden();
  await page.getByRole("button", { name: "Clear the filter: Galle" }).click();
  await expect(heading).toHaveText(all);

  const hide = page.getByRole("checkbox", { name: "Hide closed tenders" });
  await hide.check();
  await expect(heading).not.toHaveText(all);
  const open = (await heading.textContent()) ?? "";
  await page.goto("/tenders");
  await expect(hide).toBeChecked();
  await expect(heading).toHaveText(open);
  await hide.uncheck();
  await expect(heading).toHaveText(all);
});

test("on a phone, the filters are in a drawer that says how many tenders match", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/tenders");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/TENDERS: \d+$/);
  const all = (await heading.textContent()) ?? "";
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "Filters" });
  await drawer.getByRole("checkbox", { name: "Hide closed tenders" }).check();
  await expect(page).toHaveURL(/hideClosed=true$/);
  await expect(heading).not.toHaveText(all);
  const count = /\d+$/.exec((await heading.textContent()) ?? "")?.[0];
  await drawer.getByRole("button", { name: `Show ${count} tenders` }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole("button", { name: "Filters: 1 set" })).toBeFocused();
});

test("the categories beside a search count no more tenders than it finds", async ({ page }) => {
  await page.goto("/tenders?search=supply");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/TENDERS: \d+$/);
  const found = Number(/\d+$/.exec((await heading.textContent()) ?? "")?.[0]);
  const categories = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Tenders By Categories" }) })
    .getByRole("listitem");
  await expect(categories.first()).toBeVisible();
  const counts = (await categories.allTextContents()).map((text) => Number(/\d+$/.exec(text)?.[0]));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(found);
});

test("a result highlights its match, and a misspelt word is corrected", async ({ page }) => {
  await page.goto("/tenders?search=quotatoin+road");
  await expect(page.getByRole("status").filter({ hasText: "No results for “quotatoin”" })).toBeVisible();
  await expect(cards(page).first().locator("mark").first()).toBeVisible();
});

test("advanced search tells a guest which plan includes it", async ({ page }) => {
  await page.goto("/tenders");
  await page.getByRole("button", { name: "Advanced search" }).click();
  const panel = page.getByRole("region", { name: "Advanced search" });
  await expect(panel).toContainText("Included in Professional.");
  await expect(panel.getByRole("checkbox")).toHaveCount(0);
});

test("filters narrow the list, appear in the address, and are removed with their chips", async ({ page }) => {
  await startSession(page, "professional@demo.test");
  await page.goto("/tenders");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/TENDERS: \d+$/);
  const all = await heading.textContent();
  await page.getByRole("button", { name: "Advanced search" }).click();
  const panel = page.getByRole("region", { name: "Advanced search" });
  const provinces = panel.getByRole("group", { name: "Province" });
  const label = (await provinces.getByRole("checkbox").first().locator("xpath=..").textContent()) ?? "";
  const [, province = "", count = ""] = /^(.*?)(\d+)$/.exec(label) ?? [];
  await provinces.getByRole("checkbox").first().check();
  await expect(heading).toHaveText(`PUBLISHED TENDERS: ${count}`);
  await expect(page).toHaveURL(
    new RegExp(`provinces=${encodeURIComponent(province).replaceAll("%20", "\\+")}$`),
  );

  await panel.getByLabel("From").first().fill("2031-01-01");
  await panel.getByLabel("From").first().press("Enter");
  await expect(page.getByRole("heading", { name: "No tenders found" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "No tenders found" })).toBeVisible();
  await page.getByRole("button", { name: /^Clear the filter: Closing from/ }).click();
  await expect(heading).toHaveText(`PUBLISHED TENDERS: ${count}`);
  await page.getByRole("button", { name: `Clear the filter: ${province}` }).click();
  await expect(heading).toHaveText(all ?? "");
  await expect(page).toHaveURL(/\/tenders$/);
});

test("a tender's page lists similar tenders", async ({ page, request }) => {
  const list = await (await request.get("/api/tenders?limit=50")).json();
  for (const { _id } of list.data.tenders) {
    const { data } = await (await request.get(`/api/tenders/${_id}/similar`)).json();
    if (data.tenders.length === 0) continue;
    await page.goto(`/tenders/${_id}`);
    const like = page.getByRole("region", { name: "Tenders like this" });
    await expect(like.getByRole("link").first()).toHaveText(data.tenders[0].title);
    return;
  }
  throw new Error("no tender has similar ones");
});

test("an intention to bid is counted at once, and undone if the call fails", async ({ page }) => {
  await startSession(page, "supplier@demo.test");
  await page.goto("/tenders?show=live");
  const card = cards(page).first();
  await card.getByRole("button", { name: /^View Details/ }).click();
  const button = card.getByRole("button", { name: "I intend to bid" });
  await expect(card.getByText("0 intend to bid")).toBeVisible();
  await page.route("**/intention", (route) => route.fulfill({ status: 500, body: "{}" }));
  await button.click();
  await expect(page.getByText(/Try again/).first()).toBeVisible();
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await expect(card.getByText("0 intend to bid")).toBeVisible();
  await page.unroute("**/intention");
  await button.click();
  await expect(card.getByText("1 intends to bid")).toBeVisible();
  // The count changes before the server has responded. The button is enabled after the response.
  await expect(button).toBeEnabled();
  await page.reload();
  await cards(page)
    .first()
    .getByRole("button", { name: /^View Details/ })
    .click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await button.click();
  await expect(card.getByText("0 intend to bid")).toBeVisible();
});

test("hovering or focusing a field highlights its printed words on the clip", async ({ page }) => {
  await page.goto(PRINTED_TENDER);
  await cards(page)
    .first()
    .getByRole("button", { name: /^View Details/ })
    .click();
  await cards(page).first().getByRole("link", { name: "Link to this tender" }).click();
  // The listing shows the same clip and buttons, so wait until it is gone.
  await expect(cards(page)).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  const clip = page.getByRole("img", { name: /^Newspaper clip/ });
  await expect.poll(() => clip.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(50);
  const mark = page.getByTestId("mark");
  await expect(mark).toHaveCount(0);
  await page.getByRole("button", { name: "Show on the clip: Closes" }).focus();
  const [around, within] = [await clip.boundingBox(), await mark.boundingBox()];
  if (!around || !within) throw new Error("nothing is marked");
  expect(within.x).toBeGreaterThanOrEqual(around.x - 2);
  expect(within.y).toBeGreaterThanOrEqual(around.y - 2);
  expect(within.x + within.width).toBeLessThanOrEqual(around.x + around.width + 2);
  expect(within.y + within.height).toBeLessThanOrEqual(around.y + around.height + 2);
  expect(within.height).toBeLessThan(around.height / 2);
  await page.getByRole("button", { name: "Show on the clip: Closes" }).blur();
  await expect(mark).toHaveCount(0);
  await page.getByText("Organisation", { exact: true }).hover();
  await expect(mark).toHaveCount(1);
});
