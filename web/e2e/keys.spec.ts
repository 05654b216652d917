// API keys of an Enterprise subscriber.

import { expect, startSession, test } from "./fixtures.ts";

test("an Enterprise subscriber creates a key, a program uses it, and the key is revoked", async ({
  page,
  request,
}) => {
  await startSession(page, "enterprise@demo.test");
  await page.goto("/account/team");
  const part = page.getByRole("region", { name: "API keys" });
  await part.getByRole("button", { name: "New key" }).click();
  await part.getByRole("button", { name: "Create key" }).click();
  await expect(part.getByRole("alert")).toHaveText("Name is required");
  await part.getByLabel("Name").fill("Our ERP");
  await part.getByRole("button", { name: "Create key" }).click();
  const secret = (await part.getByRole("status").locator("code").textContent()) ?? "";
  await part.getByRole("button", { name: "Done" }).click();
  await expect(part).not.toContainText(secret);
  await expect(part).toContainText("Never used");

  const call = (path: string) =>
    request.get(`/api${path}`, { headers: { authorization: `Bearer ${secret}` } });
  expect((await call("/tenders/facets")).status()).toBe(200);
  expect((await call("/alerts")).status()).toBe(403);
  expect((await (await call("/openapi.json")).json()).info.title).toBe("Serendib Tenders");
  await page.reload();
  await expect(part).toContainText("Last used");
  await part.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(part).not.toContainText("Our ERP");
  expect((await call("/tenders")).status()).toBe(401);
});
