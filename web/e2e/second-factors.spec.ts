// Second factors: an authenticator app, a passkey in a virtual authenticator, and recovery codes.

import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import {
  expect,
  expectNoViolationsInBothThemes,
  registerSupplier,
  signIn,
  signOut,
  test,
} from "./fixtures.ts";
import { PASSWORD } from "./portal.ts";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

/** The code of an authenticator app (RFC 6238) for a time step. */
function totp(secret: string, step: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", key).update(counter).digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

const section = (page: Page) => page.getByRole("region", { name: "Second factor" });

async function provePassword(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: button }).click();
}

test("an authenticator app and its recovery codes protect the sign-in", async ({ page }) => {
  const email = await registerSupplier(page);
  await page.goto("/account/security");
  await section(page).getByRole("button", { name: "Set up" }).click();
  await provePassword(page, "Continue");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByLabel("Code").fill("000000");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Wrong code");
  // The codes of the previous and of the next step are accepted, too. Each is used once here.
  const step = Math.floor(Date.now() / STEP_MS);
  await dialog.getByLabel("Code").fill(totp(secret, step));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Your authenticator app is set up")).toBeVisible();
  const codes = ((await section(page).getByRole("status").locator("code").textContent()) ?? "").split("\n");
  expect(codes).toHaveLength(10);
  await expectNoViolationsInBothThemes(page);
  await section(page).getByRole("button", { name: "Done" }).click();
  await expect(section(page)).toContainText("10 codes left");

  await signOut(page);
  await expect(page).toHaveURL(/\/$/);
  await signIn(page, email);
  await expect(page.getByRole("heading", { name: "Confirm that it is you" })).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Wrong code");
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(codes[0] ?? "");
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);

  await page.goto("/account/security");
  await expect(section(page)).toContainText("9 codes left");
  await section(page).getByRole("button", { name: "Remove" }).click();
  await provePassword(page, "Remove");
  await expect(section(page).getByRole("button", { name: "Set up" })).toBeVisible();
});

test("a device that has not proved the second factor must do so before a change", async ({
  page,
  openPage,
}) => {
  const email = await registerSupplier(page);
  const other = await openPage();
  await signIn(other, email);
  await expect(other).toHaveURL(/\/supplier\/dashboard$/);

  await page.goto("/account/security");
  await section(page).getByRole("button", { name: "Set up" }).click();
  await provePassword(page, "Continue");
  const dialog = page.getByRole("dialog");
  const secret = (await dialog.locator("code").textContent()) ?? "";
  const step = Math.floor(Date.now() / STEP_MS);
  await dialog.getByLabel("Code").fill(totp(secret, step));
  await dialog.getByRole("checkbox", { name: "Sign out my other devices" }).uncheck();
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Your authenticator app is set up")).toBeVisible();

  await other.goto("/account/security");
  await section(other).getByRole("button", { name: "Make new codes" }).click();
  await provePassword(other, "Make new codes");
  const proof = other.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(proof.getByLabel("Code")).toBeFocused();
  await expectNoViolationsInBothThemes(other);
  await proof.getByRole("button", { name: "Cancel" }).click();
  const first = other.getByRole("dialog", { name: "Make new codes" });
  await expect(first.getByRole("alert")).toContainText("Confirm this change with your second factor");
  await first.getByRole("button", { name: "Make new codes" }).click();
  await proof.getByLabel("Code").fill(totp(secret, step + 1));
  await proof.getByRole("button", { name: "Confirm" }).click();
  await expect(other.getByText("You have new recovery codes")).toBeVisible();
  await expect(proof).toHaveCount(0);

  // The change has signed out the first device.
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
});

test("a passkey signs in", async ({ page, baseURL }) => {
  const email = await registerSupplier(page);
  // Browsers have passkeys for host names only, not for IP addresses.
  const local = (path: string) => new URL(path, baseURL?.replace("127.0.0.1", "localhost")).href;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const logIn = async () => {
    await page.goto(local("/login"));
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  };
  await logIn();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
  await page.goto(local("/account/security"));
  await section(page).getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Test phone");
  await provePassword(page, "Continue");
  await expect(page.getByText("The passkey is added")).toBeVisible();
  await expect(section(page)).toContainText("Passkey “Test phone”");
  await signOut(page);

  await logIn();
  await expect(page.getByText("Confirm the sign-in with your passkey.")).toBeVisible();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(/\/supplier\/dashboard$/);
});
