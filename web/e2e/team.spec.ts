// A team: several users share the plan of one subscriber.

import type { Page } from "@playwright/test";
import { findMailedLink, registerBuyer } from "./accounts.ts";
import { expect, expectNoViolations, startSession, test, uniqueWord } from "./fixtures.ts";

test("an Enterprise subscriber invites a colleague, who shares the plan until removed", async ({
  openPage,
  page,
  request,
}) => {
  test.setTimeout(120_000);
  await startSession(page, "enterprise@demo.test");
  const colleague = await openPage();
  const email = await registerBuyer(colleague);

  await page.goto("/account/team");
  const team = page.getByRole("region", { name: "Team" });
  await expect(team).toContainText("1 of 5 seats are taken");
  await team.getByLabel("Invite by e-mail").fill("nobody");
  await team.getByRole("button", { name: "Send the invitation" }).click();
  await expect(team.getByRole("alert")).toBeVisible();
  await team.getByLabel("Invite by e-mail").fill(email);
  await team.getByRole("button", { name: "Send the invitation" }).click();
  await expect(team).toContainText("Invited, until");
  await expect(team).toContainText("2 of 5 seats are taken");
  await expectNoViolations(page);

  await colleague.goto(await findMailedLink(request, email, "join"));
  await colleague.getByRole("button", { name: "Join the team" }).click();
  await expect(colleague.getByRole("status").filter({ hasText: "Enterprise Demo" })).toBeVisible();
  await colleague.getByRole("link", { name: "See the team’s alerts" }).click();
  await expect(colleague.getByRole("heading", { name: "Email Alert Settings" })).toBeVisible();
  // The subscriber sees the colleague's alert and who created it.
  const name = `Shared ${uniqueWord()}`;
  await colleague.goto("/alert-settings?new=1&search=hospital");
  await colleague.getByLabel("Name").fill(name);
  await colleague
    .getByRole("region", { name: "Create New Alert Configuration" })
    .getByRole("button", { name: "Create Alert" })
    .click();
  const shared = (page: Page) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
  await expect(shared(colleague)).toBeVisible();
  await expect(shared(colleague)).not.toContainText("Created by");
  await page.goto("/alert-settings");
  await expect(shared(page)).toContainText("Created by Malini");
  await shared(page)
    .getByRole("button", { name: `Edit ${name}` })
    .click();
  await expect(page.getByRole("region", { name: "Edit Alert Configuration" })).toContainText(
    "Created by Malini. Its e-mails go to Malini",
  );
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await shared(page)
    .getByRole("button", { name: `More for ${name}` })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(shared(page)).toHaveCount(0);
  await page.goto("/account/team");

  await page.reload();
  await team.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(team).not.toContainText(email);
  await colleague.goto("/alert-settings");
  await expect(colleague.getByRole("heading", { name: "Email Alerts - Premium Feature" })).toBeVisible();
});
