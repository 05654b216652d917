import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { User } from "@/api/types.ts";
import { intendedPath } from "@/shared/session/intendedPath.ts";
import { renderAt } from "@/testing/render.tsx";
import { AlertOffer } from "./AlertOffer.tsx";

const now = Date.parse("2026-11-21T09:00:00+05:30");
const user = { email: "kumari@example.lk", emailVerified: false } as User;

beforeEach(() => {
  const plans = [
    { name: "basic", price: { monthly: 2000 }, features: { emailAlerts: false } },
    { name: "professional", price: { monthly: 5000 }, features: { emailAlerts: true } },
  ];
  vi.spyOn(globalThis, "fetch").mockImplementation(
    async () =>
      new Response(JSON.stringify({ success: true, data: { plans } }), {
        headers: { "content-type": "application/json" },
      }),
  );
});

afterEach(() => window.localStorage.clear());

it("shows the alert that the user wants, which plan has it, and keeps it", async () => {
  const at = "/alert-settings?search=road&districts=Galle&grades=C5&new=1";
  renderAt(<AlertOffer user={user} />, { at });
  expect(screen.getByRole("heading", { level: 1, name: "Email Alerts - Premium Feature" })).toBeVisible();
  expect(await screen.findByText(/Professional and Enterprise plans, from LKR 5,000 a month/)).toBeVisible();
  const wanted = within(screen.getByRole("region", { name: "Your alert" }));
  expect(wanted.getByText("road")).toBeVisible();
  expect(wanted.getByText("Galle")).toBeVisible();
  expect(wanted.getByText(/cannot filter by CIDA C5/)).toBeVisible();
  expect(screen.getByText(/we sent a link to kumari@example.lk/)).toBeVisible();
  expect(intendedPath(now)).toBe(at);
});

it("offers three questions to a user without a wish", () => {
  renderAt(<AlertOffer user={{ ...user, emailVerified: true }} />, { at: "/alert-settings" });
  expect(screen.queryByRole("region", { name: "Your alert" })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Answer three questions" })).toHaveAttribute("href", "/welcome");
  expect(intendedPath(now)).toBeNull();
});

it("offers an alert on a body", async () => {
  const at = "/alert-settings?body=Water+Board";
  renderAt(<AlertOffer user={user} />, { at });
  const wanted = within(screen.getByRole("region", { name: "Your alert" }));
  expect(wanted.getByText("Organisations")).toBeVisible();
  expect(wanted.getByText("Water Board")).toBeVisible();
  expect(intendedPath(now)).toBe(at);
});
