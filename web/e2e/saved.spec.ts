// Saved tenders, saved searches and their feeds.

import {
  cards,
  expect,
  expectNoViolations,
  registerSupplier,
  startSession,
  test,
  uniqueWord,
} from "./fixtures.ts";

test("a subscriber saves a tender and a search, and follows its feed", async ({ page, context, request }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await startSession(page, "professional@demo.test");
  await page.goto("/tenders?category=construction");
  await page.getByRole("button", { name: "Save this search" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this search" });
  await dialog.getByLabel("Name").fill("");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toContainText("Name is required");
  const name = `Works ${uniqueWord()}`;
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Search saved")).toBeVisible();

  const first = cards(page).first();
  const title = (await first.getByRole("heading").first().textContent()) ?? "";
  await first.getByRole("button", { name: /^View Details/ }).click();
  await first.getByRole("button", { name: "Save", exact: true }).click();
  await expect(first.getByRole("button", { name: "Saved", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );

  await page.getByRole("banner").getByRole("link", { name: "Saved" }).click();
  await expect(page).toHaveURL(/\/saved$/);
  await expect(page.getByRole("article", { name: title })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("button", { name: `Copy feed address: ${name}` }).click();
  await expect(page.getByRole("button", { name: `Copied: ${name}` })).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  const feed = await request.get(new URL(address).pathname);
  expect(feed.headers()["content-type"]).toContain("application/atom+xml");
  expect(await feed.text()).toContain(`<title>${name}</title>`);

  // The feed gets a new address, and the old address no longer works.
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "New feed address" }).click();
  await expect(page.getByText("The feed has a new address")).toBeVisible();
  expect((await request.get(new URL(address).pathname)).status()).toBe(404);
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page).toHaveURL(/\/tenders\?category=construction$/);

  await page.goBack();
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
  const kept = page.getByRole("article", { name: title });
  await kept.getByRole("button", { name: /^View Details/ }).click();
  await kept.getByRole("button", { name: "Saved", exact: true }).click();
  await expect(kept).toHaveCount(0);
});

test("a user whose plan does not include saving is told so, and nothing is saved", async ({ page }) => {
  await registerSupplier(page);
  await page.goto("/tenders");
  const first = cards(page).first();
  await first.getByRole("button", { name: /^View Details/ }).click();
  await first.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Not in your plan" });
  await expect(dialog).toContainText("Saved tenders are part of the Professional and Enterprise plans");
  await expect(dialog.getByRole("link", { name: "View Pricing Plans" })).toBeVisible();
  await dialog.getByRole("button", { name: "Not now" }).click();
  await expect(first.getByRole("button", { name: "Save", exact: true })).toHaveAttribute(
    "aria-pressed",
    "false",
  );
});
