// Mail preferences, and where the links in mails lead.

import { findMailedLink, registerBuyer } from "./accounts.ts";
import { expect, expectNoViolations, startSession, test } from "./fixtures.ts";

test("mails are written in the language that is chosen for mails or for the page", async ({
  page,
  request,
}) => {
  const email = await registerBuyer(page);
  await page.goto("/account/notifications");
  const language = page.getByLabel("Language of e-mails");
  await expect(language).toHaveValue("en");
  await language.selectOption("ta");
  await expect(page.getByText("Your e-mail settings are saved")).toBeVisible();
  await page.reload();
  await expect(language).toHaveValue("ta");
  // The free plan has neither saved tenders nor a weekly summary.
  await expect(page.getByRole("switch", { name: "Weekly summary" })).toHaveCount(0);
  await expect(page.getByRole("switch", { name: "Saved tenders" })).toHaveCount(0);

  await page.getByRole("contentinfo").getByRole("button", { name: "සිංහල" }).click();
  await expect(page.getByLabel("ලිපිවල භාෂාව")).toHaveValue("si");
  await expectNoViolations(page);
  await page.goto("/forgot-password");
  await page.getByLabel("විද්‍යුත් තැපෑල").fill(email);
  await page.getByRole("button", { name: "සබැඳිය එවන්න" }).click();
  await findMailedLink(request, email, "reset-password");
  const mails = (await (await request.get("/dev/mail.json")).json()) as { to: string[]; text: string }[];
  const mine = mails.find(({ to, text }) => to.includes(email) && text.includes("/reset-password?"));
  expect(mine?.text).toContain("ආයුබෝවන් පාඨකය,");
});

test("mails about saved tenders are switched off and on again", async ({ page }) => {
  await startSession(page, "professional@demo.test");
  await page.goto("/account/notifications");
  const saved = page.getByRole("switch", { name: "Saved tenders" });
  await expect(saved).toBeChecked();
  await saved.click();
  await expect(page.getByText("Your e-mail settings are saved")).toBeVisible();
  await page.reload();
  await expect(saved).not.toBeChecked();
  await expectNoViolations(page);
  await saved.click();
  await expect(saved).toBeChecked();
});

test("a mail leads to its alert with the matches open, and to the page that switches such mails off", async ({
  page,
  request,
  stats,
}) => {
  expect(stats.totalTenders).toBeGreaterThan(0);
  await startSession(page, "professional@demo.test");
  // Other tests add and remove alerts of this subscriber. The demo alert stays.
  const token = await page.evaluate(() => localStorage.getItem("auth_token"));
  const listed = await request.get("/api/alerts", { headers: { authorization: `Bearer ${token}` } });
  const alerts = (await listed.json()).data.alerts as { _id: string; name: string }[];
  const own = alerts.find(({ name }) => name === "Building and rehabilitation works")?._id ?? "";
  const find = async () => {
    const mails = (await (await request.get("/dev/mail.json")).json()) as { to: string[]; text: string }[];
    return mails.find(
      ({ to, text }) => to.includes("professional@demo.test") && text.includes(`?alert=${own}`),
    );
  };
  await expect.poll(find, { timeout: 45_000 }).toBeDefined();
  const text = (await find())?.text ?? "";
  const link = (pattern: RegExp) => new URL(text.match(pattern)?.[0] ?? "");
  const alert = link(new RegExp(`https?:\\S+\\?alert=${own}`));
  await page.goto(alert.pathname + alert.search);
  await expect(page.getByRole("button", { name: "Hide matches" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Not relevant" }).first()).toBeVisible();
  await expectNoViolations(page);

  await page.goto(link(/https?:\S+\/unsubscribe\/\S+/).pathname);
  await expect(page.getByRole("heading", { name: "Switch off these mails?" })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByRole("heading", { name: "Mails switched off" })).toBeVisible();
  await page.getByRole("button", { name: "Switch them on again" }).click();
  await expect(page.getByRole("heading", { name: "Mails are on again" })).toBeVisible();
  await expectNoViolations(page);
});
