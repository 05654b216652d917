// Documents: from the supplier's form to a subscriber's download.

import { readFile } from "node:fs/promises";
import { expect, registerSupplier, startSession, test, uniqueWord, withdrawTender } from "./fixtures.ts";
import { fillTenderForm, openStep, publishTender } from "./tenderForm.ts";

/** Creates a PDF of one page with `text`. */
function createPdf(text: string): Buffer {
  const content = `BT /F1 11 Tf 72 770 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let bytes = "%PDF-1.4\n";
  let table = "0000000000 65535 f \n";
  for (const [at, object] of objects.entries()) {
    table += `${String(bytes.length).padStart(10, "0")} 00000 n \n`;
    bytes += `${at + 1} 0 obj\n${object}\nendobj\n`;
  }
  const start = bytes.length;
  bytes += `xref\n0 6\n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(bytes, "latin1");
}

const file = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });

test("documents are uploaded with a new tender, and a subscriber downloads them", async ({
  page,
  openPage,
}) => {
  const title = `Chairs ${uniqueWord()}`;
  const bidding = createPdf(`Bidding document for ${title}`);
  await registerSupplier(page);
  await page.goto("/supplier/add-tender");
  await fillTenderForm(page, title);
  await openStep(page, "Attachments");
  await page
    .getByLabel("Choose files")
    .setInputFiles([file("bidding.pdf", bidding), file("drawings.zip", Buffer.from("PK\x03\x04drawings"))]);
  const attached = page.getByRole("list", { name: "Attached documents" }).getByRole("listitem");
  await expect(attached).toHaveCount(2);
  await expect(attached.first()).toContainText("Sent when the tender is saved");
  // A list of prices is refused before anything is sent.
  await page.getByLabel("Choose files").setInputFiles(file("prices.csv", Buffer.from("a,b")));
  await expect(attached.last()).toContainText("This file type is not supported. Attach PDF");
  await page.getByRole("button", { name: "Remove prices.csv" }).click();
  await publishTender(page);
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);

  // One document is removed. A document of a forbidden type is rejected and can be removed too.
  await page.getByRole("link", { name: `Edit ${title}` }).click();
  await openStep(page, "Attachments");
  await expect(attached).toHaveCount(2);
  await page.getByRole("button", { name: "Remove drawings.zip" }).click();
  await expect(attached).toHaveCount(1);
  await page.getByLabel("Choose files").setInputFiles(file("setup.pdf", Buffer.from("MZ\x90 a program")));
  await expect(attached.last()).toContainText("This file type is not supported");
  await page.getByRole("button", { name: "Remove setup.pdf" }).click();
  await expect(attached).toHaveCount(1);

  const address = new URL(page.url()).pathname.replace("/supplier", "").replace("/edit", "");
  const subscriber = await openPage();
  await startSession(subscriber, "professional@demo.test");
  await subscriber.goto(address);
  await subscriber.getByRole("button", { name: "Read as text: bidding.pdf" }).click();
  await expect(subscriber.getByRole("dialog")).toContainText(`Bidding document for ${title}`);
  await subscriber.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  const download = subscriber.waitForEvent("download");
  await subscriber.getByRole("button", { name: "Download: bidding.pdf" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe("bidding.pdf");
  expect((await readFile(await saved.path())).equals(bidding)).toBe(true);
  await subscriber.reload();
  await expect(subscriber.getByText("1 download ·")).toBeVisible();

  const guest = await openPage();
  await guest.goto(address);
  await expect(guest.getByText("bidding.pdf 0.6 KB")).toBeVisible();
  await expect(guest.getByText("Documents are for subscribers.")).toBeVisible();
  await expect(guest.getByRole("button", { name: "Download: bidding.pdf" })).toHaveCount(0);
  await withdrawTender(page, title);
});

test("an interrupted upload is retried", async ({ page }) => {
  const title = `Tables ${uniqueWord()}`;
  await registerSupplier(page);
  await page.goto("/supplier/add-tender");
  await page.getByLabel("Title").fill(title);
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await page.getByRole("link", { name: `Edit ${title}` }).click();
  await openStep(page, "Attachments");
  await page.route("**/api/tenders/*/documents", (route) => route.abort(), { times: 1 });
  await page.getByLabel("Choose files").setInputFiles(file("bidding.pdf", createPdf("Bids")));
  const attached = page.getByRole("list", { name: "Attached documents" }).getByRole("listitem");
  await expect(attached).toContainText("The file could not be sent");
  await attached.getByRole("button", { name: "Try again" }).click();
  await expect(attached).toContainText("Attached");
  await expect(attached).toHaveCount(1);
});

test("a document that could not be sent with a new tender can be retried on the edit form", async ({
  page,
}) => {
  const title = `Desks ${uniqueWord()}`;
  await registerSupplier(page);
  await page.goto("/supplier/add-tender");
  await page.getByLabel("Title").fill(title);
  await openStep(page, "Attachments");
  await page.getByLabel("Choose files").setInputFiles(file("bidding.pdf", createPdf("Bids")));
  await page.route("**/api/tenders/*/documents", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await expect(page.getByText("not all of its documents could be sent")).toBeVisible();
  const attached = page.getByRole("list", { name: "Attached documents" }).getByRole("listitem");
  await expect(attached).toContainText("The file could not be sent");
  await attached.getByRole("button", { name: "Try again" }).click();
  await expect(attached).toContainText("Attached");
  await page.reload();
  await openStep(page, "Attachments");
  await expect(attached).toHaveCount(1);
});
