import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { HealthBadge } from "./HealthBadge.tsx";
import { NavBar } from "./NavBar.tsx";

let user: object;
let health: object;

beforeEach(() => {
  session.clear();
  health = { database: true, services: {} };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const isHealth = new URL((input as Request).url).pathname === "/api/health";
    return new Response(JSON.stringify({ success: true, data: isHealth ? health : { user } }), {
      headers: { "content-type": "application/json" },
    });
  });
});

function signIn(role: string, plan: string) {
  const hasAll = plan === "enterprise";
  const features = { emailAlerts: hasAll, customReports: hasAll };
  user = { _id: "1", firstName: "Kumari", lastName: "Silva", role, subscription: { plan, features } };
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
}

/** The links of the bar, without those of the account. */
function links(): string[] {
  const bar = document.querySelector(".nav-links") as HTMLElement;
  return [...bar.querySelectorAll("a")].map(({ textContent }) => textContent);
}

it("shows guests the listing, the market and the prices", async () => {
  renderAt(<NavBar />);
  expect(await screen.findByText("Sign in")).toBeInTheDocument();
  expect(links()).toEqual(["Tenders", "Market", "Pricing"]);
});

it.each([
  ["supplier", "free", ["Tenders", "Market", "My Tenders", "Bids", "Pricing"]],
  ["supplier", "basic", ["Tenders", "Market", "My Tenders", "Bids"]],
  ["supplier", "enterprise", ["Tenders", "Market", "My Tenders", "Saved", "Bids", "Alerts", "Reports"]],
  ["buyer", "enterprise", ["Tenders", "Market", "Saved", "Bids", "Alerts", "Reports"]],
  ["reviewer", "basic", ["Operate", "Tenders", "Market", "Bids"]],
])("shows a %s with the plan %s: %j", async (role, plan, expected) => {
  signIn(role, plan);
  renderAt(<NavBar />);
  expect(await screen.findByText("Welcome, Kumari Silva")).toBeInTheDocument();
  expect(links()).toEqual(expected);
});

it.each(["/market", "/buyers/road-authority", "/awards"])("marks the market as current at %s", async (at) => {
  renderAt(<NavBar />, { at });
  await screen.findByText("Sign in");
  expect(screen.getByRole("link", { name: "Market" })).toHaveAttribute("aria-current", "page");
});

it("keeps letters of the name in the greeting, and has the whole name as its title", async () => {
  signIn("supplier", "basic");
  renderAt(<NavBar />);
  const greeting = await screen.findByText("Welcome, Kumari Silva");
  expect(greeting).toHaveStyle({ minWidth: `${"Welcome, Kumari Sil".length}ch` });
  expect(greeting.parentElement).toHaveAttribute("title", "Kumari Silva");
});

it("shows the state of the connection in the footer, or in the bar if something is wrong", async () => {
  const place = () => ({
    header: within(screen.getByTestId("header")).queryByRole("status")?.textContent,
    footer: within(screen.getByTestId("footer")).queryByRole("status")?.textContent,
  });
  const both = (
    <>
      <div data-testid="header">
        <HealthBadge place="header" />
      </div>
      <div data-testid="footer">
        <HealthBadge place="footer" />
      </div>
    </>
  );
  const { unmount } = renderAt(both);
  expect(await screen.findByText("Connected")).toBeInTheDocument();
  expect(place()).toEqual({ header: undefined, footer: "Connected" });
  unmount();
  health = { database: false, services: {} };
  renderAt(both);
  expect(await screen.findByText("API Error")).toBeInTheDocument();
  expect(place()).toEqual({ header: "API Error", footer: undefined });
});
