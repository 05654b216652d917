import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepIntendedPath } from "@/shared/session/intendedPath.ts";
import { renderAt } from "@/testing/render.tsx";
import { Component as VerifyEmailPage } from "./VerifyEmailPage.tsx";

const now = Date.parse("2026-11-21T09:00:00+05:30");

beforeEach(() => {
  vi.spyOn(globalThis, "fetch").mockImplementation(
    async () =>
      new Response(JSON.stringify({ success: true, message: "", data: {} }), {
        headers: { "content-type": "application/json" },
      }),
  );
});

afterEach(() => window.localStorage.clear());

const confirm = async () => {
  renderAt(<VerifyEmailPage />, { at: "/verify-email?token=x" });
  await userEvent.click(screen.getByRole("button", { name: "Confirm my address" }));
  expect(await screen.findByRole("heading", { name: "E-mail address confirmed" })).toBeVisible();
};

it("leads to the first alert", async () => {
  await confirm();
  expect(screen.getByRole("link", { name: "Set up your first alert" })).toHaveAttribute("href", "/welcome");
});

it.each([
  ["/alert-settings?search=road&new=1", "Continue with your alert"],
  ["/tenders/1", "Continue where you were"],
])("leads back to %j", async (path, label) => {
  keepIntendedPath(path, now);
  await confirm();
  expect(screen.getByRole("link", { name: label })).toHaveAttribute("href", path);
});
