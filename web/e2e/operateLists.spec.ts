// The lists of the administrators' desk: operator tokens and messages.

import {
  expect,
  expectNoViolations,
  expectNoViolationsInBothThemes,
  startSession,
  test,
} from "./fixtures.ts";

test("an administrator creates a token that is shown once, and revokes it", async ({ page }) => {
  const name = `night desk ${crypto.randomUUID().slice(0, 8)}`;
  await startSession(page, "admin@demo.test");
  await page.goto("/operate/tokens");
  await page.getByRole("button", { name: "New token…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(dialog.getByText("Please give a name")).toBeVisible();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Read handed-in pages").uncheck();
  await dialog.getByLabel("Review notices").check();
  await dialog.getByLabel("Expires after").selectOption("90 days");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: "Create token" }).click();

  const code = page.getByRole("status").locator("code");
  await expect(code).toHaveText(/^operator_/);
  const secret = (await code.textContent()) ?? "";
  const headers = { Authorization: `Bearer ${secret}` };
  expect((await page.request.get("/api/ingest/review", { headers })).status()).toBe(200);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(secret)).toBeHidden();
  await page.reload();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText("Publish notices · Review notices");
  await expect(row).not.toContainText("Never used");
  await expectNoViolationsInBothThemes(page);

  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Revoke…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(row.getByText("Revoked", { exact: true })).toBeVisible();
  expect((await page.request.get("/api/ingest/review", { headers })).status()).toBe(401);
  await page.getByLabel("Show").selectOption("Usable");
  await expect(row).toHaveCount(0);
  await page.getByLabel("Show").selectOption("Expired or revoked");
  await expect(row).toHaveCount(1);
});

test("an administrator answers a message and opens it again", async ({ page, request, stats }) => {
  expect(stats.totalTenders).toBeGreaterThan(0);
  const name = `Malini ${crypto.randomUUID().slice(0, 8)}`;
  const listed = (await (await request.get("/api/tenders?limit=1")).json()).data.tenders[0];
  const message = {
    name,
    email: "malini@example.lk",
    message: "The closing date is wrong",
    tenderId: listed._id,
  };
  expect((await request.post("/api/contact", { data: message })).status()).toBe(201);

  await startSession(page, "admin@demo.test");
  await page.goto("/operate/messages");
  await page.getByLabel("Search by name, mail address or text").fill(name);
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText("The closing date is wrong");
  await expect(row).toContainText("Reports a mistake");
  await expect(row.getByRole("link", { name: listed.title })).toHaveAttribute(
    "href",
    `/tenders/${listed._id}`,
  );
  const answer = row.getByRole("link", { name: `Answer ${name} by mail` });
  await expect(answer).toHaveAttribute("href", /^mailto:malini@example\.lk\?subject=/);
  await expectNoViolationsInBothThemes(page);

  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Mark as answered…" }).click();
  await page.getByRole("dialog").getByLabel("Note").fill("Corrected the date");
  await expectNoViolations(page);
  await page.getByRole("dialog").getByRole("button", { name: "Mark as answered" }).click();
  await expect(row).toHaveCount(0);
  await page.getByLabel("Show").selectOption("Answered");
  await expect(row).toContainText("by admin@demo.test");
  await expect(row).toContainText("Note: Corrected the date");
  await row.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Open again…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Open again" }).click();
  await expect(row).toHaveCount(0);
  await page.getByLabel("Show").selectOption("Open");
  await expect(row).toContainText("Note: Corrected the date");
});
