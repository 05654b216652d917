// The pages for administrators.

import {
  expect,
  expectNoViolations,
  expectNoViolationsInBothThemes,
  registerSupplier,
  signIn,
  startSession,
  test,
} from "./fixtures.ts";
import { PASSWORD } from "./portal.ts";

test("an administrator locks an account, sees the entry in the audit log, and unlocks the account", async ({
  page,
  openPage,
}) => {
  const supplier = await openPage();
  const email = await registerSupplier(supplier);

  await startSession(page, "admin@demo.test");
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Operate" }).click();
  await page.getByRole("navigation", { name: "Operate" }).getByRole("link", { name: "Users" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Users" })).toBeVisible();
  await page.getByLabel("Search by mail address, name or company").fill(email);
  const row = page.getByRole("main").getByRole("listitem");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("Sunil Fernando");
  await expectNoViolationsInBothThemes(page);

  await row.getByRole("button", { name: "Actions for Sunil Fernando" }).click();
  await page.getByRole("menuitem", { name: "Lock account…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Lock account" }).click();
  await expect(dialog.getByText("Please give a reason")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Published a tender in another name");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: "Lock account" }).click();
  await expect(row).toContainText("Published a tender in another name");

  await supplier.goto("/account");
  await expect(supplier).toHaveURL(/\/login/);
  const form = supplier.getByRole("main");
  await form.getByLabel("E-mail").fill(email);
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Sign in" }).click();
  await expect(form.getByRole("alert")).toContainText("This account is locked");

  await row.getByRole("button", { name: "Actions for Sunil Fernando" }).click();
  await page.getByRole("menuitem", { name: "Show in audit log" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  const entry = page.getByRole("main").getByRole("listitem");
  await expect(entry).toHaveCount(1);
  await expect(entry).toContainText("Locked an account");
  await expect(entry).toContainText("by admin@demo.test");
  await expect(entry).toContainText("Reason: Published a tender in another name");
  await expectNoViolationsInBothThemes(page);

  await page.goBack();
  await expect(page.getByLabel("Search by mail address, name or company")).toHaveValue(email);
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: "Actions for Sunil Fernando" }).click();
  await page.getByRole("menuitem", { name: "Unlock account" }).click();
  await expect(page.getByText("The account is unlocked")).toBeVisible();
  await row.getByRole("button", { name: "Actions for Sunil Fernando" }).click();
  await page.getByRole("menuitem", { name: "Show in audit log" }).click();
  await expect(entry.first()).toContainText("Unlocked an account");
  await expect(entry.first()).toContainText("Reason: Published a tender in another name");
  await expect(entry.first()).not.toContainText("nothing");
  await signIn(supplier, email);
  await expect(supplier).toHaveURL(/\/account$/);
});

test("the desk shows what waits and leads to it, and a reviewer sees only the work of reviewers", async ({
  page,
  openPage,
}) => {
  const form = { name: "Nimal Perera", email: "nimal@example.lk", message: "How do I pay?" };
  expect((await page.request.post("/api/contact", { data: form })).status()).toBe(201);
  await startSession(page, "admin@demo.test");
  await page.goto("/operate");
  await expect(page.getByRole("heading", { level: 1, name: "Desk" })).toBeVisible();
  const waiting = page.getByRole("region", { name: "What waits" });
  const messages = waiting.getByRole("listitem").filter({ hasText: "Messages" });
  await expect(messages).toContainText(/The oldest has waited \d/);
  await expect(page.getByRole("region", { name: "Today" })).toContainText("Notices published");
  await expectNoViolationsInBothThemes(page);
  await messages.getByRole("link").click();
  await expect(page).toHaveURL(/\/operate\/messages$/);
  await expect(page.getByRole("main")).toContainText("How do I pay?");

  const reviewer = await openPage();
  await startSession(reviewer, "reviewer@demo.test");
  await reviewer.goto("/operate");
  await expect(reviewer.getByRole("region", { name: "What waits" })).toContainText("Notices to review");
  await expect(reviewer.getByRole("main")).not.toContainText("Messages");
  await expect(reviewer.getByRole("main")).not.toContainText("Today");
  await expectNoViolationsInBothThemes(reviewer);
});

test("a new reviewer has the role at the next sign-in, and sees only the pages for reviewers", async ({
  page,
  openPage,
}) => {
  const reviewer = await openPage();
  const email = await registerSupplier(reviewer);

  await startSession(page, "admin@demo.test");
  await page.goto("/operate/users");
  await page.getByLabel("Search by mail address, name or company").fill(email);
  const row = page.getByRole("main").getByRole("listitem");
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: "Actions for Sunil Fernando" }).click();
  await page.getByRole("menuitem", { name: "Change role…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("New role").selectOption("Reviewer");
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(dialog.getByText("Please enter your password")).toBeVisible();
  await dialog.getByLabel("Your own password").fill("not-this-one");
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(dialog.getByText("Wrong password")).toBeVisible();
  await expect(dialog.getByLabel("Your own password")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("Wrong password")).toHaveCount(1);
  await expectNoViolations(page);
  await dialog.getByLabel("Your own password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(row).toContainText("Reviewer");

  await signIn(reviewer, email);
  await expect(reviewer).toHaveURL(/\/operate\/review$/);
  await reviewer.goto("/operate/users");
  await expect(reviewer).toHaveURL(/\/operate\/review$/);
  await expect(reviewer.getByText("“Users” is for administrators")).toBeVisible();
  const links = reviewer.getByRole("navigation", { name: "Operate" }).getByRole("link");
  await expect(links).toHaveText(["Desk", /^Review/, /^Pages/, /^Coverage/, "Accuracy"]);
});

test("an administrator is asked before the own sessions are signed out", async ({ page, openPage }) => {
  await startSession(page, "admin@demo.test");
  const other = await openPage();
  await startSession(other, "admin@demo.test");
  await page.goto("/operate/users?search=admin%40demo.test");
  const row = page.getByRole("main").getByRole("listitem");
  await expect(row).toHaveCount(1);
  const signOut = async () => {
    await row.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: "Sign out all sessions" }).click();
  };
  const dialog = page.getByRole("dialog");
  await signOut();
  await expect(dialog).toContainText("You will be signed out");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await other.goto("/operate/users");
  await expect(other.getByRole("heading", { level: 1, name: "Users" })).toBeVisible();
  await signOut();
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/login/);
  await other.reload();
  await expect(other).toHaveURL(/\/login/);
});
