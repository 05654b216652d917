// Advice about alerts: the warning about a broad alert, an alert on an organisation, and the results of alerts.

import type { APIRequestContext, Page } from "@playwright/test";
import { expect, expectNoViolations, registerSupplier, signIn, test, uniqueWord } from "./fixtures.ts";

interface ListedAlert {
  _id: string;
  name: string;
}

/** Deletes the alerts with a name. */
async function deleteAlerts(page: Page, request: APIRequestContext, name: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("auth_token"));
  const headers = { authorization: `Bearer ${token}` };
  const { data } = (await (await request.get("/api/alerts", { headers })).json()) as {
    data: { alerts: ListedAlert[] };
  };
  for (const alert of data.alerts.filter((alert) => alert.name === name)) {
    await request.delete(`/api/alerts/${alert._id}`, { headers });
  }
}

test("a broad alert is told so before it is saved, and a proposal narrows it", async ({ page, request }) => {
  test.setTimeout(120_000);
  const name = `Broad ${uniqueWord()}`;
  await signIn(page, "professional@demo.test");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await page.goto("/alert-settings?new=1");
  const form = page.getByRole("region", { name: "Create New Alert Configuration" });
  await form.getByLabel("Name", { exact: true }).fill(name);
  await form.getByLabel("Keyword 1", { exact: true }).fill("a");
  await form.getByRole("button", { name: "Create Alert" }).click();
  const warning = form.getByRole("alert").filter({ hasText: "tenders a week" });
  await expect(warning).toContainText("This alert finds about");
  await expect(form.getByRole("button", { name: "Save it as it is" })).toBeVisible();
  await expectNoViolations(page);
  await warning
    .getByRole("button", { name: /^Use: Only in/ })
    .first()
    .click();
  await expect(warning).toHaveCount(0);
  // Even the proposal may be broad: then a second click saves it.
  const preview = form.getByRole("region", { name: "Matches in the last 30 days" });
  await expect(preview).toHaveAttribute("aria-busy", "false");
  const list = page.getByRole("region", { name: "Active" });
  await form.getByRole("button", { name: "Create Alert" }).click();
  const saveAnyway = form.getByRole("button", { name: "Save it as it is" });
  await expect(saveAnyway.or(list.getByText(name))).toBeVisible();
  if (await saveAnyway.isVisible()) await saveAnyway.click();
  await expect(list.getByText(name)).toBeVisible();

  await page.getByRole("tab", { name: "Statistics & Analytics" }).click();
  const results = page.getByRole("region", { name: "From alert to contract" });
  await expect(results.getByRole("rowheader", { name })).toBeVisible();
  const year = page.getByRole("group", { name: "Period" }).getByRole("button", { name: "365 days" });
  await year.click();
  await expect(year).toHaveAttribute("aria-pressed", "true");
  await expectNoViolations(page);

  await deleteAlerts(page, request, name);
});

test("an alert on an organisation is offered, kept and saved without a keyword", async ({
  page,
  request,
}) => {
  test.setTimeout(120_000);
  const body = `Board of ${uniqueWord()}`;
  const path = `/alert-settings?${new URLSearchParams({ body })}`;
  await registerSupplier(page);
  await page.goto(path);
  const wanted = page.getByRole("region", { name: "Your alert" });
  await expect(wanted).toContainText(body);
  await expectNoViolations(page);

  await page.goto("/");
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await signIn(page, "professional@demo.test");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await page.goto(path);
  const form = page.getByRole("region", { name: "Create New Alert Configuration" });
  await expect(form.getByRole("list", { name: "Organisations" })).toContainText(body);
  await form.getByRole("combobox", { name: /^Organisations/ }).fill("Water");
  await form.getByRole("option", { name: "Water", exact: true }).click();
  await expect(form.getByRole("list", { name: "Organisations" })).toContainText("Water");
  await form.getByRole("button", { name: "Create Alert" }).click();
  const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: body }) });
  await expect(card).toContainText("Water");

  await deleteAlerts(page, request, body);
});
