// The bid board: from a tender to the board, over its stages by mouse, keyboard and menu, and the page of
// a bid.

import { cards, expect, expectNoViolations, registerSupplier, startSession, test } from "./fixtures.ts";

/**
 * A search that finds an open tender of a newspaper. Another test's tender may be the first of the whole
 * listing.
 */
const OPEN_TENDER = `/tenders?search=${encodeURIComponent('"Tangalle Wewa"')}`;

test("a supplier adds a tender to the board and works on the bid", async ({ page }) => {
  await registerSupplier(page);
  await page.goto("/bids");
  await expect(page.getByRole("heading", { name: "No bids yet" })).toBeVisible();
  await page.getByRole("link", { name: "Find tenders" }).click();
  await expect(page).toHaveURL(/\/tenders$/);
  await page.goto(OPEN_TENDER);
  const first = cards(page).first();
  const title = (await first.getByRole("heading").first().textContent()) ?? "";
  await first.getByRole("button", { name: /^View Details/ }).click();
  await first.getByRole("button", { name: "I intend to bid" }).click();
  await first.getByRole("link", { name: "On your board: Considering" }).click();

  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole("region", { name: "Deadlines" })).toContainText("Bids close");
  await page.getByLabel("New task").fill("Buy the documents");
  await page.getByRole("button", { name: "Add the task" }).click();
  await page.getByRole("checkbox", { name: "Buy the documents" }).click();
  await expect(page.getByRole("checkbox", { name: "Buy the documents" })).toBeChecked();
  /** Opens a section that is a line at first. */
  const unfold = async (title: string) => {
    const section = page.getByRole("region", { name: title, exact: true });
    await section.getByRole("button", { name: new RegExp(`^${title}`) }).click();
    return section;
  };
  await unfold("Notes");
  await page.getByLabel("New note").fill("Ask for tiles");
  await page.getByRole("button", { name: "Add the note" }).click();
  await expect(page.getByRole("region", { name: "Notes" })).toContainText("Ask for tiles");
  await page.getByLabel("Value in rupees").fill("1,250,000");
  await page.getByRole("button", { name: "Save the value" }).click();
  await expect(await unfold("History")).toContainText("LKR 1,250,000");
  await expectNoViolations(page);

  await page.getByRole("button", { name: "Change the task: Buy the documents" }).click();
  await page.getByLabel("Task", { exact: true }).fill("Buy two sets");
  await page.getByRole("button", { name: "Save the task" }).click();
  await expect(page.getByRole("checkbox", { name: "Buy two sets" })).toBeChecked();

  // The checklist tells what the notice states from what is usual.
  const checklist = page.getByRole("region", { name: "What is to be done" });
  await expect(checklist).toContainText("Printed: “");
  await expect(checklist).toContainText("Usual practice, not from the notice");
  await checklist.getByRole("checkbox", { name: "VAT certificate" }).click();
  await expect(checklist).toContainText("Ticked by ");
  await checklist.getByLabel("New task").fill("Company seal");
  await checklist.getByRole("button", { name: "Add the task" }).click();
  await expect(checklist.getByRole("checkbox", { name: "Company seal" })).toBeVisible();

  // Reminders and files.
  const reminders = await unfold("Reminders");
  await reminders.getByRole("button", { name: "Change the reminders" }).click();
  await reminders.getByRole("button", { name: "For all my bids" }).click();
  await expect(reminders).toContainText("7 days, 2 days, 3 hours");
  const picture = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const file = { name: "site.png", mimeType: "image/png", buffer: picture };
  await unfold("Files");
  await page.getByLabel("File for this bid").setInputFiles(file);
  await expect(page.getByRole("region", { name: "Files" })).toContainText("site.png");
  await expectNoViolations(page);

  // The evidence pack is one PDF.
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Evidence (PDF)" }).click();
  expect((await download).suggestedFilename()).toMatch(/^evidence-.*\.pdf$/);

  // The cover page, for the file.
  await checklist.getByRole("link", { name: "Cover page" }).click();
  await expect(page).toHaveURL(/\/cover$/);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByRole("article")).toContainText("Company seal");
  await expectNoViolations(page);
  const sheets = (await page.pdf({ format: "A4", preferCSSPageSize: true })).toString("latin1");
  expect(sheets.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.getByRole("link", { name: "Back to the bid" }).click();

  await page.getByRole("main").getByRole("link", { name: "Bids", exact: true }).click();
  const stage = (name: string) => page.getByRole("region", { name, exact: true });
  const card = (name: string) => stage(name).getByRole("article", { name: title });
  await expect(card("Considering")).toContainText("1 of 2 own tasks");
  await card("Considering").dragTo(stage("Preparing"));
  await expect(card("Preparing")).toBeVisible();
  // The handle keeps the focus, so that the keys go on moving the card.
  await page.getByRole("button", { name: `Move with the arrow keys: ${title}` }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(card("Submitted")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(card("Won")).toBeVisible();
  await page.getByRole("button", { name: `Move to…: ${title}` }).click();
  await page.getByRole("menuitem", { name: "Preparing" }).click();
  await expect(card("Preparing")).toBeVisible();
  await expectNoViolations(page);

  // A phone shows one stage at a time.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.reload();
  await expect(card("Preparing")).toBeVisible();
  await page.getByRole("button", { name: /^Lost/ }).click();
  await expect(stage("Preparing")).toBeHidden();
  await expect(stage("Lost")).toContainText("None");
  await page.getByRole("button", { name: /^Preparing/ }).click();
  await card("Preparing").getByRole("link", { name: title }).click();
  await page.getByRole("button", { name: "Remove from the board" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove this bid?" });
  await dialog.getByRole("button", { name: "Remove from the board" }).click();
  await expect(page.getByRole("heading", { name: "No bids yet" })).toBeVisible();
});

test("a subscriber reads the deadlines in the calendar and in a calendar program", async ({
  page,
  request,
}) => {
  await startSession(page, "professional@demo.test");
  await page.goto("/bids");
  await page.getByRole("link", { name: "Closings calendar" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Closings calendar" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Closings calendar" })).toBeVisible();
  await page.getByRole("button", { name: "Week", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: /^Week of/ })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Get the address" }).click();
  const address = page.getByText(/\/api\/feeds\/calendar\/[\w-]{43}\.ics$/);
  const path = new URL((await address.textContent()) ?? "").pathname;
  const feed = await request.get(path);
  expect(feed.headers()["content-type"]).toContain("text/calendar");
  expect(await feed.text()).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/);
  await page.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("button", { name: "Get the address" })).toBeVisible();
  expect((await request.get(path)).status()).toBe(404);
});
