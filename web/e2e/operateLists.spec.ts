// The lists of the administrators' desk: operator tokens.

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
