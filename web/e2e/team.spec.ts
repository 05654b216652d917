// An account that several users share.

import { expect, expectNoViolations, signIn, test } from "./fixtures.ts";
import { linkTo, register } from "./people.ts";

test("an Enterprise subscriber invites a colleague, who shares the plan until it is taken back", async ({
  browser,
  page,
  request,
}) => {
  await signIn(page, "enterprise@demo.test");
  await expect(page).toHaveURL(/dashboard$/);
  const colleague = await (await browser.newContext()).newPage();
  const email = await register(colleague);

  await page.goto("/account");
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

  await colleague.goto(await linkTo(request, email, "join"));
  await colleague.getByRole("button", { name: "Join the team" }).click();
  await expect(colleague.getByRole("status").filter({ hasText: "Enterprise Demo" })).toBeVisible();
  await colleague.getByRole("link", { name: "See the team’s alerts" }).click();
  await expect(colleague.getByRole("heading", { name: "Email Alert Settings" })).toBeVisible();

  await page.reload();
  await team.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(team).not.toContainText(email);
  await colleague.goto("/alert-settings");
  await expect(colleague.getByRole("heading", { name: "Email Alerts - Premium Feature" })).toBeVisible();
  await colleague.context().close();
});
