import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as WelcomePage } from "./WelcomePage.tsx";

const user = {
  _id: "1",
  firstName: "Kumari",
  lastName: "Silva",
  email: "k@example.lk",
  emailVerified: true,
  role: "supplier",
  subscription: { plan: "professional", features: { emailAlerts: true } },
};
/** The alerts that the user has. */
let alerts: object[];

beforeEach(() => {
  alerts = [];
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL((input as Request).url);
    const breadth = { isTooBroad: false, proposals: [] };
    const replies: Record<string, object> = {
      "/api/auth/me": { user },
      "/api/company": { company: { cida: [{ grade: "C5", field: "Buildings" }] }, version: 1 },
      "/api/alerts": { alerts },
      "/api/alerts/preview": { days: 30, matchCount: 0, matches: [], keywords: [], breadth },
    };
    return Response.json({ success: true, data: replies[pathname] });
  });
});

const open = () => renderAt(<WelcomePage />, { at: "/welcome" });

it("begins with the sectors and grades of the company profile", async () => {
  open();
  expect(await screen.findByRole("checkbox", { name: "Construction" })).toBeChecked();
  expect(screen.getByRole("checkbox", { name: "Upkeep" })).toBeChecked();
  expect(screen.getByRole("checkbox", { name: "IT" })).not.toBeChecked();
  expect(screen.getByLabelText("Field of work")).toHaveValue("Buildings");
  expect(screen.getByRole("region", { name: "Your first alert" })).toHaveTextContent("Construction");
});

it("promises a user who has alerts no first one", async () => {
  alerts = [{ _id: "a" }];
  open();
  expect(
    await screen.findByRole("heading", { level: 1, name: "Three questions, and a new alert" }),
  ).toBeInTheDocument();
  expect(screen.getByRole("region", { name: "Your new alert" })).toBeInTheDocument();
  expect(screen.queryByText(/first alert/)).toBeNull();
});
