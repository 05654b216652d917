// A tender's page: its history, the calendar file, reporting a mistake, the clip, and the limit for
// guests.

import { readFile } from "node:fs/promises";
import {
  expect,
  expectNoViolations,
  PRINTED_TENDER,
  registerSupplier,
  test,
  uniqueWord,
  withdrawTender,
} from "./fixtures.ts";
import { fillTenderForm, openStep, publishTender } from "./tenderForm.ts";

test("a guest sees the value before an edit, saves the closing date and reports a mistake", async ({
  page,
  openPage,
}) => {
  const title = `Desks ${uniqueWord()}`;
  await registerSupplier(page);
  await page.goto("/supplier/add-tender");
  await fillTenderForm(page, title);
  await publishTender(page);
  await page.getByRole("link", { name: `Edit ${title}` }).click();
  await openStep(page, "Dates and places");
  await page.getByLabel("Closing date").fill("2099-02-28");
  await openStep(page, "Preview");
  const address = new URL(page.url()).pathname.replace("/supplier", "").replace("/edit", "");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Tender updated successfully")).toBeVisible();

  const guest = await openPage();
  await guest.goto(address);
  const history = guest.getByRole("listitem").filter({ hasText: "changed by its publisher" });
  await expect(history.locator("del")).toContainText("Sat 31 Jan 2099");
  await expect(history.locator("ins")).toContainText("Sat 28 Feb 2099");
  const download = guest.waitForEvent("download");
  await guest.getByRole("link", { name: "Add to calendar" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^tender-.*\.ics$/);
  expect(await readFile(await file.path(), "utf8")).toContain(`SUMMARY:Closes: ${title}`);

  await guest.getByRole("button", { name: "Report a mistake" }).click();
  const dialog = guest.getByRole("dialog", { name: "Report a mistake" });
  await dialog.getByLabel("What is wrong?").fill("It closes in March.");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(dialog).toContainText("Name is required");
  await expectNoViolations(guest);
  await dialog.getByLabel("Your name").fill("Kamala");
  await dialog.getByLabel("Your e-mail, for an answer").fill("kamala@example.lk");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(guest.getByText("Thank you. We will look at it.")).toBeVisible();
  await withdrawTender(page, title);
});

test("the clip stays beside the fields, keeps a clicked highlight, and is enlarged in place", async ({
  page,
  request,
}) => {
  const { data } = await (await request.get(`/api${PRINTED_TENDER}`)).json();
  expect(data.tenders).toHaveLength(1);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`/tenders/${data.tenders[0]._id}`);
  const clip = page.getByRole("img", { name: /^Newspaper clip/ });
  await expect.poll(() => clip.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(50);
  const show = page.getByRole("button", { name: "Show on the clip: Closes" });
  await expect(show).toBeInViewport();
  await expect(clip).toBeInViewport();
  await show.click();
  await page.mouse.move(2, 2);
  await page.getByRole("button", { name: "Make the clip larger" }).focus();
  const mark = page.getByTestId("mark");
  await expect(mark).toHaveCount(1);
  await expect(mark).toBeInViewport();
  const before = await clip.boundingBox();
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await clip.boundingBox())?.width)
    .toBeGreaterThan((before?.width ?? 0) * 1.4);
  expect(page.context().pages()).toHaveLength(1);
  // The clip stays in view when the page is scrolled down.
  await page.mouse.wheel(0, 500);
  await expect(clip).toBeInViewport();
  await show.click();
  await page.mouse.move(2, 2);
  await show.blur();
  await expect(mark).toHaveCount(0);
  // A phone has the clip within the first two screens, before the fields.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect.poll(async () => (await clip.boundingBox())?.y).toBeLessThan(2 * 844);
});

test("the fourth tender that a guest opens by link shows its summary and the ways to continue", async ({
  page,
  request,
}) => {
  const { data } = await (await request.get("/api/tenders?limit=4&isLive=true")).json();
  const opened = data.tenders.slice(0, 3) as { _id: string }[];
  for (const [nth, { _id }] of opened.entries()) {
    await page.goto(`/tenders/${_id}`);
    await expect(page.getByText(`${2 - nth} of 3 details left this month`)).toBeVisible();
  }
  const fourth = data.tenders[3];
  await page.goto(`/tenders/${fourth._id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(fourth.title);
  const article = page.getByRole("article");
  await expect(article).toContainText(fourth.organization.name);
  await expect(article).toContainText("You have opened the 3 tenders that are free each month.");
  await expect(article.getByRole("link", { name: "Sign up" })).toBeVisible();
  await expect(article.getByRole("link", { name: "View Pricing Plans" })).toBeVisible();
  await expectNoViolations(page);
});
