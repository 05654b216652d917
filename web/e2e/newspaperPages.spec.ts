// Newspaper pages: an administrator drops a page, a worker reads it, and the page is shown with what
// became of its blocks.

import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "@playwright/test";
import {
  expect,
  expectNoViolationsInBothThemes,
  registerSupplier,
  startSession,
  test,
  uniqueWord,
} from "./fixtures.ts";
import { PASSWORD, startPageWorker } from "./portal.ts";

/** A digital page with 16 tender notices. */
const PAGE_FILE = path.resolve(
  import.meta.dirname,
  "../../fixtures/newspapers/daily-lanka/2026-11-20/p2.pdf",
);

/** A photographed page with notices, vacancies and obituaries. */
const PHOTOGRAPH = path.resolve(
  import.meta.dirname,
  "../../fixtures/newspapers/daily-lanka/2026-11-20/p1.jpg",
);

/** Drops a file on the area for uploads. */
async function dropFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ name, base64 }) => {
      const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([data], name));
      return transfer;
    },
    { name, base64: bytes.toString("base64") },
  );
  await page
    .getByRole("region", { name: "Upload newspaper pages" })
    .getByText("You can also paste a picture")
    .dispatchEvent("drop", { dataTransfer: transfer });
}

/** The row of a stored file in the list of pages. While the file is uploaded, the area for uploads has a row, too. */
function rowOf(page: Page, name: string) {
  return page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: name })
    .filter({ has: page.getByRole("button", { name: /^Actions for/ }) });
}

test("a dropped page is read by a worker and shown with its boxes and its tenders", async ({ page }) => {
  test.slow();
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/pages");
  await expect(page.getByRole("heading", { level: 1, name: "Newspaper pages" })).toBeVisible();
  const bytes = await readFile(PAGE_FILE);
  // A file that no other test uploads: bytes after the end of a PDF are ignored.
  const own = Buffer.concat([bytes, Buffer.from(`\n%${crypto.randomUUID()}\n`)]);
  await page.getByLabel("Newspaper (optional)").fill("Daily Lanka");
  await dropFile(page, "daily-lanka_2026-11-20_p2.pdf", own);
  const row = rowOf(page, "daily-lanka_2026-11-20_p2.pdf");
  await expect(row).toContainText("Waits");
  await expect(row).toContainText("Daily Lanka");
  await expect(page.getByText("No worker is running")).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  const stopWorker = await startPageWorker();
  try {
    await expect(row).toContainText("16 notices published", { timeout: 90_000 });
    // The date comes from the name of the file.
    await expect(row).toContainText("Daily Lanka, Fri 20 Nov 2026");
  } finally {
    await stopWorker();
  }
  await row.getByRole("link", { name: "daily-lanka_2026-11-20_p2.pdf" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "daily-lanka_2026-11-20_p2.pdf" })).toBeVisible();
  const picture = page.getByRole("img", { name: /^Picture of/ });
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalHeight))
    .toBeGreaterThan(1500);
  const sheet = page.getByRole("region", { name: "daily-lanka_2026-11-20_p2.pdf" });
  const notices = sheet.getByRole("button", { name: /Tender/ });
  await expect(notices).toHaveCount(16);
  await expectNoViolationsInBothThemes(page);

  // A box leads to the tender of its notice.
  await notices.first().click();
  const selected = page.getByRole("region", { name: /^Block \d+$/ });
  await expect(selected).toContainText("The notice is published");
  const title = (await selected.locator("p").nth(1).textContent()) ?? "";
  expect(title.length).toBeGreaterThan(10);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(page.getByRole("status").filter({ hasText: "150 %" })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(selected).toBeInViewport();
  await expectNoViolationsInBothThemes(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await selected.getByRole("link", { name: "Open tender" }).click();
  await expect(page).toHaveURL(/\/tenders\/[0-9a-f-]+$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goBack();
  await expect(selected, "the way back leads to the same block").toBeVisible();

  // Whatever part of the page is in view, the panel about a block is too, below the header.
  const header = page.getByRole("banner");
  await notices.last().scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 4000);
  await notices.last().click();
  await expect(selected).toBeInViewport({ ratio: 1 });
  const bottomOfHeader = await header.evaluate((bar) => bar.getBoundingClientRect().bottom);
  // Scrolling may go on for a moment.
  await expect.poll(async () => (await selected.boundingBox())?.y).toBeGreaterThanOrEqual(bottomOfHeader);
  // On a tablet, the panel makes room for drawing.
  await page.setViewportSize({ width: 820, height: 1180 });
  await expect(selected).toBeInViewport({ ratio: 1 });
  const gap = async () => {
    const open = await selected.getByRole("link", { name: "Open tender" }).boundingBox();
    const dismiss = await selected.getByRole("button", { name: "No notice: dismiss" }).boundingBox();
    return (dismiss?.x ?? 0) - (open?.x ?? 0) - (open?.width ?? 0);
  };
  await expect.poll(gap).toBeGreaterThanOrEqual(8);
  await page.getByRole("button", { name: "Draw a missed notice" }).click();
  await expect(selected).toBeHidden();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await notices.first().click();

  // The legend hides and shows the boxes.
  const toggle = page.getByRole("group", { name: "Shown on the picture" }).getByRole("button");
  for (const one of await toggle.all()) {
    if (
      (await one.getAttribute("aria-pressed")) === "true" &&
      (await one.textContent())?.startsWith("Tender")
    ) {
      await expect(one).toHaveAttribute("title", "Hide these blocks on the picture");
      await one.click();
      await expect(one).toHaveAttribute("title", "Show these blocks on the picture");
      await expect(one).toContainText("hidden");
    }
  }
  await expect(notices, "the selected box stays").toHaveCount(1);
  await expect(
    page.getByRole("region", { name: "Notices on this page" }).getByRole("listitem"),
    "the list stays",
  ).toHaveCount(16);

  await page.getByRole("button", { name: "Read again" }).click();
  await expect(page.getByText("The page will be read again")).toBeVisible();
  await expect(page.getByText("Waits", { exact: true })).toBeVisible();
});

/** A newspaper page with one notice, as a PDF with a text layer. */
async function printPage(page: Page, title: string): Promise<Buffer> {
  await page.setContent(`<style>
    body { margin: 0; font: 11pt/1.35 serif; }
    div { position: absolute; left: 60mm; top: 90mm; width: 95mm; border: 0.7mm solid; padding: 4mm; }
    h1, h2 { margin: 0 0 3mm; font-size: 13pt; text-align: center; }
  </style>
  <div>
    <h1>Haputale Urban Council</h1><h2>INVITATION FOR BIDS</h2><h2>${title}</h2>
    <p>1. Sealed bids are invited by the Chairman, Procurement Committee, Haputale Urban Council, from
    eligible and qualified bidders for the above.</p>
    <p>2. Bidding documents may be purchased on payment of a non-refundable fee of Rs. 3,000.00 until
    12.03.2099.</p>
    <p>3. Bids will be closed at 2.00 p.m. on 13.03.2099 and opened immediately afterwards.</p>
    <p>Bid No. HUC/PROC/2099/18</p>
    <p>Secretary, Haputale Urban Council, Haputale. Tel. 057-2268067</p>
  </div>`);
  return await page.pdf({ width: "380mm", height: "560mm", printBackground: true });
}

test("a page that is dropped in the browser is read by a worker, and its notice is mailed", async ({
  page,
  openPage,
  request,
}) => {
  test.slow();
  const word = uniqueWord(12);
  const title = `Supply of ${word} Furniture to the Library`;
  const login = await request.post("/api/auth/login", {
    data: { email: "professional@demo.test", password: PASSWORD },
  });
  const headers = { authorization: `Bearer ${(await login.json()).data.token}` };
  const alert = {
    name: title,
    keywords: [{ term: word }],
    emailSettings: { frequency: "immediate" },
  };
  const stored = await request.post("/api/alerts", { headers, data: alert });
  expect(stored.status(), await stored.text()).toBe(201);

  const printer = await openPage();
  const file = await printPage(printer, title);
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/pages");
  const name = `hill-press_2099-02-20_${word}.pdf`;
  await dropFile(page, name, file);
  const row = rowOf(page, name);
  const stopWorker = await startPageWorker();
  try {
    await expect(row).toContainText("1 notice published", { timeout: 90_000 });
  } finally {
    await stopWorker();
  }
  const mails = async () => {
    const all: { to: string[]; text: string }[] = await (await request.get("/dev/mail.json")).json();
    return all.filter(({ to, text }) => to.includes("professional@demo.test") && text.includes(title)).length;
  };
  await expect.poll(mails, { timeout: 60_000 }).toBe(1);
  await request.delete(`/api/alerts/${(await stored.json()).data.alert._id}`, { headers });
});

test("a file that is no page is refused, and a known file is not stored again", async ({ page }) => {
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/pages");
  const uploads = page.getByRole("list", { name: "Uploads" });
  await dropFile(page, "notes.txt", Buffer.from("not a page"));
  await expect(uploads).toContainText("This is not a newspaper page. Upload PDF, JPEG, PNG or TIFF");
  await uploads.getByRole("button", { name: "Remove notes.txt" }).click();
  await expect(uploads).toBeHidden();

  const name = `${crypto.randomUUID()}.pdf`;
  const file = { name, mimeType: "application/pdf", buffer: Buffer.from(`%PDF-1.7 ${name}`) };
  await page.getByLabel("Choose files").setInputFiles(file);
  const row = rowOf(page, name);
  await expect(row).toContainText("Waits");
  await page.getByLabel("Choose files").setInputFiles(file);
  await expect(uploads).toContainText(`This file was uploaded before, as ${name}`);
  await uploads.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await page.goBack();
  await uploads.getByRole("button", { name: `Remove ${name}` }).click();

  await page.getByLabel("State").selectOption("Read");
  await expect(row).toBeHidden();
  await page.getByLabel("State").selectOption("Waits");
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Forget page" }).click();
  await expect(page.getByText("The page is forgotten")).toBeVisible();
  await expect(row).toBeHidden();
});

test("a block that was not taken for a notice is read as one", async ({ page }) => {
  test.slow();
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/pages");
  const bytes = await readFile(PHOTOGRAPH);
  const name = `daily-lanka_2026-11-20_${uniqueWord()}.jpg`;
  await dropFile(page, name, Buffer.concat([bytes, Buffer.from(crypto.randomUUID())]));
  const row = rowOf(page, name);
  const stopWorker = await startPageWorker();
  try {
    await expect(row).toContainText("notices published", { timeout: 90_000 });
    await row.getByRole("link", { name }).click();
    const sheet = page.getByRole("region", { name, exact: true });
    const block = sheet.getByRole("button", { name: /No notice: vacancy$/ }).first();
    const number = Number.parseInt((await block.getAttribute("aria-label")) ?? "", 10);
    await block.click();
    const selected = page.getByRole("region", { name: `Block ${number}`, exact: true });
    await expect(selected).toContainText("Recognised as: vacancy");
    await expect(selected.getByRole("button", { name: "No notice: dismiss" })).toBeHidden();
    await expectNoViolationsInBothThemes(page);
    await selected.getByRole("button", { name: "It is a notice" }).click();
    await expect(page.getByText("The box will be read as a notice")).toBeVisible();
    await expect(selected).toContainText(/Drawn .* by admin@demo\.test/);
    // The worker reads the same box.
    await expect(page.getByText("Read", { exact: true })).toBeVisible({ timeout: 90_000 });
    await expect(sheet.getByRole("button", { name: /: vacancy$/ })).toHaveCount(1);
  } finally {
    await stopWorker();
  }
});

test("a wrong newspaper or date is corrected, and the pages of the file are read again", async ({ page }) => {
  await startSession(page, "reviewer@demo.test");
  await page.goto("/operate/pages");
  const name = `${crypto.randomUUID()}.pdf`;
  await page.getByLabel("Newspaper (optional)").fill("Daily Lnka");
  await page.getByLabel("Choose files").setInputFiles({
    name,
    mimeType: "application/pdf",
    buffer: Buffer.from(`%PDF-1.7 ${name}`),
  });
  const row = rowOf(page, name);
  await expect(row).toContainText("Daily Lnka");
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Correct newspaper or date…" }).click();
  const dialog = page.getByRole("dialog");
  const correct = dialog.getByRole("button", { name: "Correct and read again" });
  await expect(correct).toBeDisabled();
  await dialog.getByLabel("Newspaper").fill("Daily Lanka");
  await dialog.getByLabel("Issue date").fill("2026-11-20");
  await expectNoViolationsInBothThemes(page);
  await correct.click();
  await expect(row).toContainText("Daily Lanka, Fri 20 Nov 2026");
  await expect(dialog).toBeHidden();
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Forget page" }).click();
  await expect(row).toBeHidden();
});

test("a supplier has no access to newspaper pages", async ({ page }) => {
  await registerSupplier(page);
  await page.goto("/operate/pages");
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
});

test("a wrong box is dismissed, and a box drawn by hand is read as a notice", async ({ page }) => {
  test.slow();
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/pages");
  const bytes = await readFile(PAGE_FILE);
  const own = Buffer.concat([bytes, Buffer.from(`\n%${crypto.randomUUID()}\n`)]);
  const name = `daily-lanka_2026-11-20_${uniqueWord()}.pdf`;
  await dropFile(page, name, own);
  const row = rowOf(page, name);
  const stopWorker = await startPageWorker();
  try {
    await expect(row).toContainText("notices published", { timeout: 90_000 });
    await row.getByRole("link", { name }).click();
    const sheet = page.getByRole("region", { name, exact: true });
    const label = await sheet
      .getByRole("button", { name: /Tender/ })
      .first()
      .getAttribute("aria-label");
    const notice = sheet.getByRole("button", {
      name: new RegExp(`^${Number.parseInt(label ?? "", 10)}\\. `),
    });
    await notice.click();
    const selected = page.getByRole("region", { name: /^Block \d+$/ });
    await selected.getByRole("button", { name: "No notice: dismiss" }).click();
    await expect(selected).toContainText(/Dismissed .* by admin@demo\.test/);
    await expect(selected.getByRole("link", { name: "Open tender" })).toBeHidden();
    await expectNoViolationsInBothThemes(page);
    await selected.getByRole("button", { name: "Undo the dismissal" }).click();
    await expect(selected.getByRole("link", { name: "Open tender" })).toBeVisible();
    await selected.getByRole("button", { name: "No notice: dismiss" }).click();
    await expect(selected).toContainText("Dismissed");

    // Nothing is drawn at first. The keyboard places, moves and resizes the box.
    await sheet
      .getByRole("button", { name: /Tender/ })
      .last()
      .scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Draw a missed notice" }).click();
    const read = page.getByRole("button", { name: "Read as a notice" });
    await expect(read).toBeDisabled();
    await expect(sheet.getByRole("button", { name: /^No box yet/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(read).toBeDisabled();
    await expectNoViolationsInBothThemes(page);
    const drawn = sheet.getByRole("button", { name: /^New box/ });
    await page.keyboard.press("ArrowRight");
    await expect(drawn).toHaveAccessibleName(/30 % from the left, 30 % from the top, 30 % wide, 20 % high/);
    await expect(drawn).toBeFocused();
    await expect(drawn).toBeInViewport({ ratio: 1 });
    await expect(read).toBeEnabled();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ArrowRight");
    await expect(drawn).toHaveAccessibleName(/31 % from the left, 31 % from the top, 31 % wide, 20 % high/);
    await expectNoViolationsInBothThemes(page);
    await page.keyboard.press("Escape");
    await expect(drawn).toBeHidden();

    // The mouse draws over the dismissed box.
    const place = await notice.boundingBox();
    if (!place) throw new Error("the box of the notice is not shown");
    await page.getByRole("button", { name: "Draw a missed notice" }).click();
    // Away from the bars at the top.
    await notice.evaluate((box) => box.scrollIntoView({ block: "center" }));
    const box = (await notice.boundingBox()) ?? place;
    await page.mouse.move(box.x + 1, box.y + 1);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 1, box.y + box.height - 1, { steps: 4 });
    await page.mouse.up();
    await expect(read, "the button stays in view").toBeInViewport({ ratio: 1 });
    await read.click();
    await expect(page.getByText("The box will be read as a notice")).toBeVisible();
    const waiting = page.getByRole("region", { name: "Boxes not read yet" });
    await expect(waiting).toContainText("by admin@demo.test");
    await expect(waiting).toBeHidden({ timeout: 90_000 });
    await expect
      .poll(
        async () => {
          const listed = page.getByRole("region", { name: "Notices on this page" }).getByRole("button");
          for (const one of await listed.all()) {
            const [number] = /^\d+/.exec((await one.textContent()) ?? "") ?? [];
            await one.click();
            const block = page.getByRole("region", { name: `Block ${number}`, exact: true });
            await expect(block).toBeVisible();
            if ((await block.textContent())?.includes("Drawn")) return true;
          }
          return false;
        },
        { timeout: 30_000 },
      )
      .toBe(true);
    await expect(selected.getByRole("button", { name: "Remove the drawn box" })).toBeVisible();
  } finally {
    await stopWorker();
  }
});
