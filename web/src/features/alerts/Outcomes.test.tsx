import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { Outcomes } from "./Outcomes.tsx";

const outcome = (found: number, relevant: number) => ({ found, relevant, bid: 0, won: 0, wonValue: 0 });

const answers: Record<string, object> = {
  "/api/alerts/outcomes": {
    days: 90,
    total: outcome(8, 5),
    alerts: [
      { _id: "a", name: "Bridges", outcome: outcome(8, 5) },
      { _id: "b", name: "Roofs", outcome: outcome(0, 0) },
    ],
  },
};

beforeEach(() => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const data = answers[new URL((input as Request).url).pathname] ?? {};
    return new Response(JSON.stringify({ success: true, data }), {
      headers: { "content-type": "application/json" },
    });
  });
});

it("tells for each alert what was found, and what became of it", async () => {
  renderAt(<Outcomes days={90} />);
  const table = within(await screen.findByRole("table"));
  expect(table.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Alert",
    "Found",
    "Saved or on the board",
    "Bid",
    "Won",
  ]);
  const row = table.getByRole("rowheader", { name: "Bridges" }).closest("tr");
  expect(row).toHaveTextContent("Bridges8500");
  expect(table.getByRole("link", { name: "Bridges, Found: 8" })).toHaveAttribute(
    "href",
    "/alert-settings?alert=a",
  );
});

it("has a column for the value of the bids won once there are some", async () => {
  const { total, ...rest } = answers["/api/alerts/outcomes"] as { total: object };
  answers["/api/alerts/outcomes"] = { ...rest, total: { ...total, wonValue: 2_500_000 } };
  renderAt(<Outcomes days={90} />);
  expect(await screen.findByRole("columnheader", { name: "Value won" })).toBeVisible();
  expect(screen.getByText("Value of the bids won: LKR 2,500,000")).toBeVisible();
});

it("tells why the matches of the alerts are more than the tenders found", async () => {
  const { total, alerts, ...rest } = answers["/api/alerts/outcomes"] as { total: object; alerts: object[] };
  const roofs = { _id: "b", name: "Roofs", outcome: outcome(3, 1) };
  answers["/api/alerts/outcomes"] = { ...rest, total, alerts: [...alerts.slice(0, 1), roofs] };
  renderAt(<Outcomes days={90} />);
  expect(
    await screen.findByText("11 matches: a tender that several alerts find counts once here."),
  ).toBeVisible();
});
