import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { User } from "@/api/types.ts";
import { renderAt } from "@/testing/render.tsx";
import { MailPreferences } from "./MailPreferences.tsx";

const user = {
  language: "en",
  role: "supplier",
  subscription: { plan: "free", features: { emailAlerts: false, weeklySummary: false } },
} as User;

it("says where the reminders of bids are set", () => {
  renderAt(<MailPreferences user={user} />);
  const line = screen.getByText(/^Reminders of the deadlines of your bids are set on the page of each bid/);
  expect(screen.getByRole("link", { name: "Your bids" })).toHaveAttribute("href", "/bids");
  expect(line).toContainElement(screen.getByRole("link", { name: "Your bids" }));
});
