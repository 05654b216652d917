import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { Statistics } from "./Statistics.tsx";

const DAYS = 90;
const WEEKS = 13;

const stats = {
  totalAlerts: 3,
  activeAlerts: 2,
  inactiveAlerts: 1,
  totalMatches: 13,
  totalEmailsSent: 1,
  alertsByFrequency: { immediate: 1, daily: 1, weekly: 1 },
  recentMatches: [{ alertName: "Bridges", lastMatchedAt: "2026-11-20T08:30:00+05:30", totalMatches: 13 }],
  history: {
    days: Array.from({ length: DAYS }, (_, nth) => ({
      day: new Date(Date.UTC(2026, 7, 24 + nth)).toISOString().slice(0, 10),
      matches: nth === 0 ? 13 : 0,
    })),
    weeks: Array.from({ length: WEEKS }, (_, nth) => ({
      from: new Date(Date.UTC(2026, 7, 24 + 7 * nth)).toISOString().slice(0, 10),
      mails: nth === WEEKS - 1 ? 1 : 0,
    })),
    alerts: [],
  },
};

/** The periods that the server was asked for. */
let asked: (string | null)[];

beforeEach(() => {
  asked = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname, searchParams } = new URL((input as Request).url);
    const isOutcomes = pathname.endsWith("/outcomes");
    if (isOutcomes) asked.push(searchParams.get("days"));
    const total = { found: 0, relevant: 0, bid: 0, won: 0, wonValue: 0 };
    const data = isOutcomes ? { days: 90, total, alerts: [] } : stats;
    return new Response(JSON.stringify({ success: true, data }), {
      headers: { "content-type": "application/json" },
    });
  });
});

it("tells each figure once", async () => {
  renderAt(<Statistics />);
  const insights = within(await screen.findByRole("region", { name: "Performance Insights" }));
  expect(insights.getByText("433.3 % match efficiency")).toBeVisible();
  expect(insights.getByText("0.5 on average per alert")).toBeVisible();
  expect(insights.getByText("2/3 Currently monitoring · 67 % active rate")).toBeVisible();
  for (const figure of [/433\.3/, /67 %/, /\b0\.5\b/]) expect(screen.getAllByText(figure)).toHaveLength(1);
});

it("has one switch for the period of the results and of both histories", async () => {
  renderAt(<Statistics />);
  const period = within(await screen.findByRole("group", { name: "Period" }));
  const days = screen.getByRole("region", { name: "Matches a day" });
  const weeks = screen.getByRole("region", { name: "E-mails a week" });
  expect(days).toHaveTextContent("90 days");
  expect(weeks).toHaveTextContent("13 weeks");
  await userEvent.click(period.getByRole("button", { name: "30 days" }));
  // The only match is older.
  expect(days).toHaveTextContent("30 days");
  expect(days).toHaveTextContent("No match on these days.");
  expect(weeks).toHaveTextContent("5 weeks");
  // The histories are kept for 90 days, and say so.
  await userEvent.click(period.getByRole("button", { name: "365 days" }));
  expect(days).toHaveTextContent("90 days");
  expect(asked).toEqual(["90", "30", "365"]);
});
