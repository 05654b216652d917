// Failed sign-ins by a stranger must not lock out a browser in which the owner signed in before.

import { registerBuyer } from "./accounts.ts";
import { expect, signOut, test } from "./fixtures.ts";
import { PASSWORD } from "./portal.ts";

test("a stranger with wrong passwords is blocked, but the owner on the same network signs in", async ({
  page,
  openPage,
}) => {
  const email = await registerBuyer(page);
  await signOut(page);
  await expect(page).toHaveURL(/\/$/);

  const stranger = await openPage();
  for (let nth = 0; nth < 10; nth += 1) {
    const answer = await stranger.request.post("/api/auth/login", {
      data: { email, password: `guess ${nth}` },
    });
    expect(answer.status()).toBe(401);
  }
  await stranger.goto("/login");
  await stranger.getByRole("main").getByLabel("E-mail").fill(email);
  await stranger.getByRole("main").getByLabel("Password", { exact: true }).fill(PASSWORD);
  await stranger.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await expect(stranger.getByRole("main").getByRole("alert")).toContainText("Too many requests");

  await page.goto("/login");
  await page.getByRole("main").getByLabel("E-mail").fill(email);
  await page.getByRole("main").getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/tenders$/);
});
