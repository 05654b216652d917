// Alerts: from the preview to the mail, and the page for users whose plan has no alerts.

import {
  expect,
  expectNoViolations,
  registerSupplier,
  signIn,
  startSession,
  test,
  uniqueWord,
  withdrawTender,
} from "./fixtures.ts";
import { fillTenderForm, publishTender } from "./tenderForm.ts";

interface Mail {
  text: string;
  headers: { name: string; value: string }[];
}

test("a user whose plan has no alerts sees what alerts offer", async ({ page }) => {
  await registerSupplier(page);
  await page.goto("/supplier/dashboard");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "Alerts" })).toHaveCount(0);
  await page.goto("/alert-settings");
  await expect(page.getByRole("heading", { name: "Email Alerts - Premium Feature" })).toBeVisible();
  await expectNoViolations(page);
});

interface ListedAlert {
  name: string;
  stats: { emailsSent: number };
}

test("an alert is previewed, saved, matched, mailed, tested, switched off, edited and deleted", async ({
  page,
  openPage,
  request,
}) => {
  test.setTimeout(120_000);
  const word = `Zq${uniqueWord()}`;
  await signIn(page, "professional@demo.test");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await page.getByRole("banner").getByRole("link", { name: "Alerts" }).click();
  await expect(page.getByRole("heading", { name: "Email Alert Settings" })).toBeVisible();
  await expect(page.getByText("PROFESSIONAL Plan")).toBeVisible();
  await page.getByRole("button", { name: "Create Alert" }).click();
  const form = page.getByRole("region", { name: "Create New Alert Configuration" });
  await form.getByRole("button", { name: "Create Alert" }).click();
  await expect(form).toContainText("Alert name is required");
  await expect(form).toContainText("Keyword is required");
  await expectNoViolations(page);

  // The preview changes with the input.
  const preview = form.getByRole("region", { name: "Matches in the last 30 days" });
  await form.getByLabel("Keyword 1", { exact: true }).fill("supply");
  await expect(preview.getByRole("listitem").first()).toContainText(/supply/i);
  // A portal that is younger than a week counts over seven days. Other tests publish tenders too.
  await expect(preview).toContainText(/About (one e-mail|\d+ e-mails) a week\./);
  await form.getByLabel("Keyword 1", { exact: true }).fill(word);
  await expect(preview).toContainText("0 tenders in the last 30 days");

  await form.getByLabel("Name").fill(word);
  await form.getByRole("button", { name: "Create Alert" }).click();
  await expect(page.getByText("Alert configuration created successfully!")).toBeVisible();
  const card = page
    .getByRole("region", { name: "Active", exact: true })
    .getByRole("listitem")
    .filter({
      has: page.getByRole("heading", { name: word }),
    });
  await expect(card).toContainText("0 matches");

  // A supplier publishes a matching tender.
  const supplier = await openPage();
  await registerSupplier(supplier);
  await supplier.goto("/supplier/add-tender");
  await fillTenderForm(supplier, `Supply of ${word}`);
  await publishTender(supplier);
  await expect(supplier).toHaveURL(/\/supplier\/dashboard$/);
  const mails = async () => {
    const all = (await (await request.get("/dev/mail.json")).json()) as Mail[];
    return all.filter(({ text }) => text.includes(`your alert “${word}”`));
  };
  await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBe(1);
  const [mail] = await mails();
  // The server records a mail as sent shortly after it has arrived.
  const headers = {
    authorization: `Bearer ${await page.evaluate(() => localStorage.getItem("auth_token"))}`,
  };
  const sent = async () => {
    const { data } = (await (await request.get("/api/alerts", { headers })).json()) as {
      data: { alerts: ListedAlert[] };
    };
    return data.alerts.find(({ name }) => name === word)?.stats.emailsSent;
  };
  await expect.poll(sent).toBe(1);
  await page.reload();
  await expect(card).toContainText(/1 match · newest match on .* · 1 e-mail sent/);
  await card.getByRole("button", { name: "Show matches" }).click();
  await expect(card.getByRole("link", { name: `Supply of ${word}` })).toBeVisible();
  await card.getByRole("button", { name: "Not relevant" }).click();
  await expect(card.getByRole("button", { name: "Relevant after all" })).toBeVisible();
  await expectNoViolations(page);

  await page.getByRole("tab", { name: "Statistics & Analytics" }).click();
  await expect(page.getByRole("heading", { name: "Recent Alert Activity" })).toBeVisible();
  const days = page.getByRole("region", { name: "Matches a day", exact: true });
  await expect(days).toContainText("90 days");
  await days.getByText("Matches a day, as a table").click();
  await expect(days.getByRole("row").nth(1)).toContainText(/\d$/);
  // One switch sets the period of all that is counted over one.
  const period = page.getByRole("group", { name: "Period" });
  await expect(period).toHaveCount(1);
  await period.getByRole("button", { name: "30 days" }).click();
  await expect(period.getByRole("button", { name: "30 days" })).toHaveAttribute("aria-pressed", "true");
  await expect(days).toContainText("30 days");
  await expect(page.getByRole("link", { name: `${word}, Found: 1` })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("tab", { name: /Alert Configurations/ }).click();

  await card.getByRole("button", { name: `More for ${word}` }).click();
  await page.getByRole("menuitem", { name: "Test on the newest tenders" }).click();
  await expect(page.getByText("Found 1 matching tenders out of 10 tested.")).toBeVisible();
  await card.getByRole("button", { name: `More for ${word}` }).click();
  await page.getByRole("menuitem", { name: "Send a test e-mail" }).click();
  await expect(page.getByText("A test email has been sent to your configured email address.")).toBeVisible();

  await card.getByRole("switch", { name: `${word} is active` }).click();
  await expect(page.getByText("Alert deactivated successfully!")).toBeVisible();
  const off = page
    .getByRole("region", { name: "Inactive" })
    .getByRole("listitem")
    .filter({
      has: page.getByRole("heading", { name: word }),
    });
  await off.getByRole("button", { name: `Edit ${word}` }).click();
  const edit = page.getByRole("region", { name: "Edit Alert Configuration" });
  await expect(edit.getByLabel("Name")).toHaveValue(word);
  await edit.getByLabel("Frequency").selectOption("daily");
  await edit.getByLabel("Daily summary time").fill("07:30");
  await edit.getByRole("button", { name: "Update Alert" }).click();
  await expect(page.getByText("Alert configuration updated successfully!")).toBeVisible();
  await expect(off).toContainText("Daily");

  // Mail clients unsubscribe with one POST request.
  const unsubscribe = mail?.headers.find(({ name }) => name === "List-Unsubscribe")?.value ?? "";
  const oneClick = { "List-Unsubscribe": "One-Click" };
  const answer = await request.post(new URL(unsubscribe.trim().slice(1, -1)).pathname, { form: oneClick });
  expect(answer.ok()).toBe(true);
  await page.reload();
  await expect(off).toContainText("No e-mails");

  await off.getByRole("button", { name: `More for ${word}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("dialog")).toContainText("This action cannot be undone");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Alert configuration deleted successfully!")).toBeVisible();
  await expect(page.getByRole("heading", { name: word })).toHaveCount(0);
  await withdrawTender(supplier, `Supply of ${word}`);
});

test("a keyword's translations are added with one click", async ({ page }) => {
  await startSession(page, "professional@demo.test");
  await page.goto("/alert-settings?new=1&search=hospital");
  const form = page.getByRole("region", { name: "Create New Alert Configuration" });
  const others = form.getByRole("region", { name: "In the other languages" });
  await expect(others.getByRole("button")).toHaveText(["රෝහල", "வைத்தியசாலை", "மருத்துவமனை", "Add all 3 words"]);
  await expectNoViolations(page);
  await others.getByRole("button", { name: "Add රෝහල (සිංහල)" }).click();
  await expect(form.getByLabel("Keyword 2", { exact: true })).toHaveValue("රෝහල");
  await expect(form.getByLabel("Match type 2")).toHaveValue("starts_with");
  // Translations that the alert already has are no longer offered.
  await expect(others.getByRole("button", { name: "Add රෝහල (සිංහල)" })).toHaveCount(0);
  await others.getByRole("button", { name: "Add all 2 words" }).click();
  await expect(form.getByLabel("Keyword 4", { exact: true })).toHaveValue("மருத்துவமனை");
  await expect(others).toHaveCount(0);
});

test("a form that got no response and is sent again creates only one alert", async ({ page, pageErrors }) => {
  const name = `Once ${uniqueWord()}`;
  await startSession(page, "professional@demo.test");
  await page.goto("/alert-settings?new=1&search=hospital");
  const form = page.getByRole("region", { name: "Create New Alert Configuration" });
  await form.getByLabel("Name").fill(name);
  let lost = 0;
  await page.route("**/api/alerts", async (route) => {
    if (route.request().method() !== "POST" || lost > 0) return route.continue();
    lost += 1;
    // The request reaches the server, but the response is lost.
    await route.fetch();
    await route.abort();
  });
  await form.getByRole("button", { name: "Create Alert" }).click();
  await expect(page.getByText("Failed to Create Alert")).toBeVisible();
  await form.getByRole("button", { name: "Create Alert" }).click();
  await expect(page.getByText("Alert configuration created successfully!")).toBeVisible();
  expect(lost).toBe(1);
  // The failed call is logged.
  expect(pageErrors.splice(0)).toEqual([expect.stringContaining("Failed to fetch")]);
  await expect(page.getByRole("heading", { name, exact: true })).toHaveCount(1);
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Alert configuration deleted successfully!")).toBeVisible();
});

test("a rate-limited preview pauses, and continues with the next change", async ({ page }) => {
  await startSession(page, "professional@demo.test");
  let refusing = true;
  await page.route("**/api/alerts/preview", (route) =>
    refusing
      ? route.fulfill({
          status: 429,
          headers: { "retry-after": "20" },
          json: { success: false, message: "Too many requests. Please try again in 20 seconds." },
        })
      : route.continue(),
  );
  await page.goto("/alert-settings?new=1&search=hospital");
  const preview = page.getByRole("region", { name: "Matches in the last 30 days" });
  await expect(preview.getByRole("status")).toHaveText(
    "The preview pauses briefly and continues with your next change.",
  );
  refusing = false;
  await page.getByLabel("Keyword 1", { exact: true }).fill("supply");
  await expect(preview.getByRole("status")).toContainText("in the last 30 days");
});

test("a search prefills the form of a new alert", async ({ page }) => {
  await startSession(page, "professional@demo.test");
  await page.goto("/tenders?search=road&districts=Galle");
  await page.getByRole("link", { name: "E-mail me new tenders like these" }).click();
  const form = page.getByRole("region", { name: "Create New Alert Configuration" });
  await expect(form.getByLabel("Keyword 1", { exact: true })).toHaveValue("road");
  const districts = form.getByRole("button", { name: /^Districts/ });
  await expect(districts).toHaveAccessibleName("Districts Galle");
  await districts.click();
  await expect(form.getByRole("checkbox", { name: "Galle", exact: true })).toBeChecked();
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form).toHaveCount(0);
  await expect(page).toHaveURL(/\/alert-settings$/);
});

test("Back asks before changes of an alert are lost", async ({ page }) => {
  await startSession(page, "professional@demo.test");
  await page.goto("/alert-settings");
  await page.getByRole("button", { name: "Create Alert" }).click();
  const form = page.getByRole("region", { name: "Create New Alert Configuration" });
  const name = form.getByLabel("Name", { exact: true });
  await name.fill("Bridges");
  await page.goBack();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Stay here" }).click();
  await expect(name).toHaveValue("Bridges");
  await page.goBack();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(form).toHaveCount(0);
  await expect(page).toHaveURL(/\/alert-settings$/);
});

test("on a phone the form takes the place of the list, and its bar covers no field", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await startSession(page, "professional@demo.test");
  await page.goto("/alert-settings");
  await page.getByRole("button", { name: "Create Alert" }).click();
  const form = page.getByRole("region", { name: "Create New Alert Configuration" });
  await expect(form.getByRole("heading", { name: "Create New Alert Configuration" })).toBeFocused();
  await expect(page.getByRole("tab")).toHaveCount(0);
  // The browser's Back closes the form, as the button does.
  await page.goBack();
  await expect(form).toHaveCount(0);
  await expect(page.getByRole("tab").first()).toBeVisible();
  await page.getByRole("button", { name: "Create Alert" }).click();

  for (const group of [/^Categories/, /^Districts/, /^Sent to/, /^Advanced Filters/]) {
    await form.getByRole("button", { name: group }).click();
  }
  const scrollBoxes = await form.evaluate((region) =>
    [...region.querySelectorAll("*")]
      .filter((one) => one.scrollHeight > one.clientHeight + 1)
      .filter((one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowY))
      .map(({ className }) => className),
  );
  expect(scrollBoxes).toEqual([]);

  await form.getByRole("heading", { name: "Create New Alert Configuration" }).focus();
  /** What covers the lower edge of the focused field: `null` if nothing does. */
  const cover = () =>
    page.evaluate(() => {
      const field = document.activeElement;
      if (!field) return "nothing has the focus";
      const { left, width, bottom } = field.getBoundingClientRect();
      const top = document.elementFromPoint(left + width / 2, bottom - 4);
      return top !== null && (field.contains(top) || top.contains(field)) ? null : field.outerHTML;
    });
  const last = form.getByRole("button", { name: "Create Alert" });
  const isLast = () => last.evaluate((button) => button === document.activeElement);
  let fields = 0;
  while (!(await isLast())) {
    await page.keyboard.press("Tab");
    expect(await cover()).toBeNull();
    fields += 1;
  }
  expect(fields).toBeGreaterThan(60);

  await page.getByRole("button", { name: "Back to alerts" }).click();
  await expect(form).toHaveCount(0);
  await expect(page).toHaveURL(/\/alert-settings$/);
});
