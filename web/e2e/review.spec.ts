// The review of notices: by keyboard alone, by selecting words, and by two reviewers at once.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectNoViolationsInBothThemes, startSession, test, uniqueWord } from "./fixtures.ts";
import { address, createOperatorToken } from "./portal.ts";

const clip = path.resolve(import.meta.dirname, "../../fixtures/notices/daily-lanka/2026-11-20/p1-01");

interface HeldNotice {
  key: string;
  title: string;
  /** A word that no other test's notices have. It is in the title. */
  word: string;
}

const referenceOf = (key: string) => `E2E/${key.slice(0, 8)}`;

/** Sends a notice that waits for review: its closing is doubtful, and the classifier read another one. */
async function holdNotice(subject: string, reference?: string): Promise<HeldNotice> {
  const token = await createOperatorToken();
  const key = crypto.randomUUID().replaceAll("-", "");
  const word = uniqueWord();
  const title = `${subject} ${word}`;
  const [, box] = /\n {2}box:\n((?: {2}- [\d.]+\n){4})/.exec(readFileSync(`${clip}.md`, "utf8")) ?? [];
  const notice = `---
title: ${title}
status: published
kind: purchase
language: en
referenceNo: ${reference ?? referenceOf(key)}
organization:
  name: Test Council of ${word}
dates:
  closing: 2098-12-27T14:00:00+05:30
source:
  publication: Daily Lanka
  date: 2026-11-20
  file: p1.jpg
  page: 1
  box:
${box}confidence:
  title: 0.9
  dates.closing: 0.6
evidence:
  dates.closing:
    text: 27th December
otherReadings:
  dates.closing:
  - value: 2098-12-29T14:30:00+05:30
    reader: classifier
    confidence: 0.5
fieldStates:
  dates.closing: doubtful
needsReview: true
---

${title}: sealed bids are invited.
`;
  const form = new FormData();
  form.append("notice", new Blob([notice], { type: "text/markdown" }), "notice.md");
  form.append("clip", new Blob([readFileSync(`${clip}.jpg`)], { type: "image/jpeg" }), "clip.jpg");
  const words = new Blob([readFileSync(`${clip}.words.json`)], { type: "application/json" });
  form.append("words", words, "words.json");
  const response = await fetch(`${address}/api/ingest/notices/${key}?hold=true`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  expect(response.status, await response.text()).toBe(200);
  return { key, title, word };
}

/** The tenders that have this title. */
async function tendersOf(
  page: Page,
  title: string,
): Promise<{ title: string; dates: { closing: string } }[]> {
  const response = await page.request.get(`/api/tenders?search=${encodeURIComponent(`"${title}"`)}`);
  return (await response.json()).data.tenders;
}

const titleOf = (page: Page) => page.getByRole("textbox", { name: /^Title/ });
const statusOf = (page: Page) => page.getByRole("main").getByRole("status");
/** Expects that the notice with this title is no longer shown. The queue may be empty then. */
async function expectLeft(page: Page, title: string): Promise<void> {
  const shown = () =>
    titleOf(page).evaluateAll((fields) => fields.map((field) => (field as HTMLTextAreaElement).value));
  await expect.poll(shown).not.toContain(title);
}

const closingOf = (page: Page) => page.getByRole("textbox", { name: /^Closing/ });

async function openReview(page: Page, { key, title }: HeldNotice): Promise<void> {
  await page.goto(`/operate/review?notice=${key}`);
  await expect(titleOf(page)).toHaveValue(title);
}

test("a reviewer corrects, accepts, undoes and rejects a notice by keyboard alone", async ({ page }) => {
  const notice = await holdNotice("Hiring of tippers");
  await holdNotice("Tractors that may be next");
  await startSession(page, "admin@demo.test");
  await openReview(page, notice);
  const closing = closingOf(page);
  await expect(closing).toBeFocused();
  await expect(closing).toHaveValue("2098-12-27 14:00");
  // The values of a vocabulary have names.
  await expect(page.getByLabel("Kind").getByRole("option", { name: "Expression of interest" })).toHaveCount(
    1,
  );
  await expect(page.getByText("Daily Lanka, 2026-11-20, page 1 of the file")).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  // The arrow takes the other reading, and Enter accepts the notice. The next notice is there.
  await page.keyboard.press("ArrowDown");
  await expect(closing).toHaveValue("2098-12-29 14:30");
  await page.keyboard.press("Enter");
  await expectLeft(page, notice.title);
  await expect
    .poll(async () => (await tendersOf(page, notice.title)).map(({ dates }) => dates.closing), {
      timeout: 15_000,
    })
    .toEqual(["2098-12-29T14:30:00+05:30"]);

  // What is typed for the next notice stays while the decision before is undone.
  await titleOf(page).fill("A typed title");
  await page.keyboard.press("Alt+z");
  await expect(titleOf(page)).toHaveValue(notice.title);
  // What the reviewer had entered for it is there again.
  await expect(closing).toHaveValue("2098-12-29 14:30");
  await page.keyboard.press("Alt+r");
  await expect(page.getByRole("dialog")).toContainText("Why is the notice rejected?");
  await expectNoViolationsInBothThemes(page);
  // The page shows the next notice before the server has stored the decision.
  const rejected = page.waitForResponse(
    (response) =>
      response.request().method() === "POST" && response.url().endsWith(`/operate/review/${notice.key}`),
  );
  await page.keyboard.press("2");
  await expect(titleOf(page)).toHaveValue("A typed title");
  expect((await rejected).status()).toBe(200);
  await expect.poll(() => tendersOf(page, notice.title), { timeout: 15_000 }).toEqual([]);
  const entries = await page.goto(`/operate/audit?subject=${notice.key}`).then(() => page.getByRole("main"));
  await expect(entries.getByRole("listitem")).toHaveCount(4);
  await expect(entries.getByRole("listitem").first()).toContainText("Reason: An advertisement");
});

test("words that are selected on the clip fill the field, and a refused value comes back", async ({
  page,
}) => {
  const notice = await holdNotice("Supply of desks");
  await startSession(page, "admin@demo.test");
  await openReview(page, notice);
  const { words } = JSON.parse(readFileSync(`${clip}.words.json`, "utf8"));
  const title = titleOf(page);
  await title.focus();
  await expect(page.getByTestId("clip").getByRole("img")).toHaveJSProperty("complete", true);
  const picture = await page.getByTestId("clip").boundingBox();
  const boxes = words.filter(({ line }: { line: number }) => line === words[3].line);
  const source = await page.request
    .post(`/api/operate/review/${notice.key}/claim`, {
      headers: { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem("auth_token"))}` },
    })
    .then(async (response) => (await response.json()).data.notice.notice.sources[0].box);
  const at = ({ box: [x, y, width, height] }: { box: [number, number, number, number] }) => ({
    x: (picture?.x ?? 0) + ((x + width / 2 - source[0]) / source[2]) * (picture?.width ?? 0),
    y: (picture?.y ?? 0) + ((y + height / 2 - source[1]) / source[3]) * (picture?.height ?? 0),
  });
  const [from, to] = [at(boxes[0]), at(boxes.at(-1))];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  await expect(title).toHaveValue(boxes.map(({ text }: { text: string }) => text).join(" "));
  await expect(title).toBeFocused();

  await closingOf(page).fill("next week");
  await page.keyboard.press("Enter");
  await expect(
    page.getByText("This is not a value for the field (for example 2026-12-01 14:00)"),
  ).toBeVisible();
  await expect(statusOf(page)).toContainText("The decision was not saved");
  await expectNoViolationsInBothThemes(page);
  await expect(page.getByRole("region", { name: "Notifications" }).getByRole("listitem")).toHaveCount(0);
  await expect(closingOf(page)).toHaveValue("next week");
  await expect(closingOf(page)).toBeFocused();
  await page.keyboard.press("Alt+n");
  await expect(closingOf(page)).not.toHaveValue("next week");
});

test("a skip is silent, and undoing it brings the notice back without undoing a decision", async ({
  page,
}) => {
  const accepted = await holdNotice("Accepted pumps");
  await holdNotice("Pipes that may be next");
  await startSession(page, "admin@demo.test");
  await openReview(page, accepted);
  // The number in the navigation follows at once.
  const counted = page.waitForResponse((response) => response.url().endsWith("/api/operate/tasks"));
  await page.keyboard.press("Enter");
  await counted;
  await expect(page.getByRole("button", { name: `Undo acceptance: ${accepted.title}` })).toBeEnabled();
  await expect.poll(async () => (await tendersOf(page, accepted.title)).length, { timeout: 15_000 }).toBe(1);

  const title = await titleOf(page).inputValue();
  await page.getByLabel("Town").fill("Kuruwita");
  const left = page.waitForResponse((response) => response.url().endsWith("/skip"));
  await page.keyboard.press("Alt+n");
  expect((await left).status()).toBe(204);
  const undo = page.getByRole("button", { name: `Undo skip: ${title}` });
  await expect(undo).toBeEnabled();
  // The next notice may have the same title, but not what was typed.
  await expect(page.getByLabel("Town")).not.toHaveValue("Kuruwita");
  await expect(statusOf(page)).toHaveText("");
  await page.keyboard.press("Alt+z");
  await expect(titleOf(page)).toHaveValue(title);
  await expect(page.getByLabel("Town")).toHaveValue("Kuruwita");
  expect(await tendersOf(page, accepted.title)).toHaveLength(1);
  await page.getByRole("button", { name: `Undo acceptance: ${accepted.title}` }).click();
  await expect(titleOf(page)).toHaveValue(accepted.title);
  await page.keyboard.press("Alt+r");
  await expect(page.getByRole("dialog")).toContainText("Why is the notice rejected?");
  await page.keyboard.press("2");
  await expectLeft(page, accepted.title);
});

test("the keys work when the focus is on no field, and what was typed comes back after a split", async ({
  page,
}) => {
  const notice = await holdNotice("Works at two places");
  await startSession(page, "admin@demo.test");
  await page.setViewportSize({ width: 820, height: 1180 });
  await openReview(page, notice);
  // The title is shown as a whole, however long it is.
  await titleOf(page).fill("Supply, delivery, installation and testing ".repeat(6));
  expect(await titleOf(page).evaluate((field) => field.scrollHeight - field.clientHeight)).toBe(0);
  await titleOf(page).fill(notice.title);
  await page.getByLabel("Town").fill("Kuruwita");
  const blur = () =>
    page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await blur();
  await page.keyboard.press("Alt+x");
  await expect(page.getByRole("dialog").getByRole("slider")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expectLeft(page, notice.title);
  await blur();
  await page.keyboard.press("Alt+z");
  await expect(titleOf(page)).toHaveValue(notice.title);
  await expect(page.getByLabel("Town")).toHaveValue("Kuruwita");
  await blur();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: `Undo acceptance: ${notice.title}` })).toBeEnabled();
});

test("a twin with the same reference is offered first, and never the notice's own tender", async ({
  page,
}) => {
  const first = await holdNotice("Supply of transformers");
  await startSession(page, "admin@demo.test");
  await openReview(page, first);
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await tendersOf(page, first.title)).length, { timeout: 15_000 }).toBe(1);
  const twin = await holdNotice("Delivery of electrical goods", referenceOf(first.key));
  await openReview(page, twin);
  await page.getByRole("button", { name: "Same tender as" }).click();
  const offered = page.getByRole("list", { name: "Found tenders" }).getByRole("button");
  await expect(offered.first()).toContainText(first.title);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expectLeft(page, twin.title);
  await page.keyboard.press("Alt+z");
  await expect(titleOf(page)).toHaveValue(twin.title);
});

test("a reviewer without decisions is told that there is nothing to undo", async ({ page }) => {
  // No test decides in the name of this reviewer.
  await startSession(page, "reviewer@demo.test");
  await page.goto("/operate/review");
  const undo = page.getByRole("button", { name: "Undo my last decision" });
  await undo.click();
  await expect(statusOf(page)).toHaveText("There is nothing to undo");
  await expect(undo).toBeDisabled();
});

test("two reviewers never hold the same notice", async ({ page, openPage }) => {
  const [one, two] = [await holdNotice("Chairs"), await holdNotice("Tables")];
  const other = await openPage();
  await startSession(page, "admin@demo.test");
  await openReview(page, one);
  await startSession(other, "reviewer@demo.test");
  await other.goto(`/operate/review?notice=${one.key}`);
  await expect(other.getByText("Another reviewer has this notice open").first()).toBeVisible();
  await other.goto(`/operate/review?notice=${two.key}`);
  await expect(titleOf(other)).toHaveValue(two.title);
  // The administrator leaves, and the notice is free.
  const released = page.waitForResponse(
    (response) =>
      response.request().method() === "DELETE" && response.url().endsWith("/operate/review/claims"),
  );
  await page.getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  await released;
  await other.goto(`/operate/review?notice=${one.key}`);
  await expect(titleOf(other)).toHaveValue(one.title);
});

test("a notice that holds several is split by keyboard, and its parts come next", async ({ page }) => {
  const notice = await holdNotice("Two works");
  await startSession(page, "admin@demo.test");
  await openReview(page, notice);
  await page.keyboard.press("Alt+x");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("slider")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("+");
  await expect(dialog.getByRole("button", { name: "Split into 3" })).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await page.keyboard.press("Enter");
  await expectLeft(page, notice.title);
  const parts = async () => {
    const queue = await page.request.get("/api/operate/review?reason=notice", {
      headers: { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem("auth_token"))}` },
    });
    return (await queue.json()).data.notices.filter(({ doubt }: { doubt: string }) => doubt === "part")
      .length;
  };
  await expect.poll(parts).toBe(3);
});

test("a corrected name is confirmed for the readers, and the accuracy counts it", async ({
  page,
  openPage,
}) => {
  const notice = await holdNotice("Culverts");
  const organization = `Muthurajawela Works ${notice.word}`;
  await startSession(page, "admin@demo.test");
  await openReview(page, notice);
  await page.getByLabel("Organisation").fill(organization);
  await page.keyboard.press("Enter");
  await expectLeft(page, notice.title);

  await page.getByRole("link", { name: "Gazetteer" }).click();
  await page.getByLabel("Search by name").fill(organization);
  const row = page.getByRole("listitem").filter({ hasText: organization });
  await expect(row).toContainText("In one notice");
  await expectNoViolationsInBothThemes(page);
  await row.getByRole("button", { name: `Confirm ${organization}` }).click();
  await expect(page.getByText("No names are proposed")).toBeVisible();
  const token = await createOperatorToken();
  const file = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return await (await fetch(`${address}/api/ingest/gazetteer`, { headers })).text();
  };
  expect(await file()).toContain(`${organization}\t\t\t\t`);

  // A name is added by hand, with all its errors at once.
  await page.getByRole("button", { name: "Add a name" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What has this name?").selectOption("town");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Please enter the name")).toBeVisible();
  await expect(dialog.getByText("Please choose the district")).toBeVisible();
  const town = `Wedamulla ${notice.word}`;
  await dialog.getByLabel("Name", { exact: true }).fill(town);
  await dialog.getByLabel("Other spellings").fill("වැඩමුල්ල");
  await dialog.getByLabel("District").selectOption("Gampaha");
  await expectNoViolationsInBothThemes(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(file).toContain(`${town}\t\tවැඩමුල්ල\t\ttown Gampaha`);
  await expect(dialog).toBeHidden();
  await page.getByRole("link", { name: "Audit log" }).click();
  const added = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: `Name: ${town}` });
  await expect(added).toContainText("What has this name: (District: Gampaha, Kind: town)");

  // Reviewers see the accuracy too.
  const reviewer = await openPage();
  await startSession(reviewer, "reviewer@demo.test");
  await reviewer.goto("/operate/accuracy");
  const organizations = reviewer.getByRole("row", { name: /^Organisation / });
  await expect(organizations.getByRole("cell").first()).toContainText("%");
  await expectNoViolationsInBothThemes(reviewer);
  await reviewer.getByLabel("Notices").selectOption("Only random checks");
  await expect(reviewer.getByText("Nothing was checked in this period")).toBeVisible();
});
