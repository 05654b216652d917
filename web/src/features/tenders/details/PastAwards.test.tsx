import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { positionOf } from "./AmountStrip.tsx";
import { PastAwards } from "./PastAwards.tsx";

const award = (nth: number) => ({
  _id: `01939999-0000-7000-8000-00000000000${nth}`,
  title: `Bridge ${nth}`,
  lot: null,
  winners: ["One Builders Ltd"],
  amounts: [{ amount: nth * 1_000_000, currency: "LKR" }],
  taxes: nth === 1 ? "excluded" : null,
  body: "Ministry of Roads",
  decidedOn: "2018-03-20",
  decisionNumber: nth,
  sourceUrl: nth === 2 ? "javascript:alert(1)" : "https://cabinet.example/1",
  references: [],
  tender: null,
  isOutcome: nth === 1,
});

const spread = {
  currency: "LKR",
  count: 6,
  min: 1_000_000,
  lowerQuartile: 2_000_000,
  median: 3_000_000,
  upperQuartile: 5_000_000,
  max: 9_000_000,
};

function respondWith(data: unknown) {
  vi.spyOn(globalThis, "fetch").mockImplementation(
    async () =>
      new Response(JSON.stringify({ success: true, data }), {
        headers: { "content-type": "application/json" },
      }),
  );
}

it("shows past awards with their spread as text and as a table", async () => {
  respondWith({ awards: [1, 2, 3, 4, 5, 6].map(award), spreads: [spread] });
  renderAt(<PastAwards id="01939999-0000-7000-8000-0000000000aa" />, { at: "/" });
  const section = await screen.findByRole("region", { name: "Past awards like this" });
  const items = within(section).getAllByRole("listitem");
  expect(items).toHaveLength(5);
  expect(items[0]).toHaveTextContent("Outcome of this tender");
  expect(items[0]).toHaveTextContent("LKR 1,000,000 excluding taxes");
  expect(items[0]).toHaveTextContent("Cabinet decision 1 of Tue 20 Mar 2018");
  // Only web addresses become links to the decision.
  const decisionOf = (item?: HTMLElement) =>
    within(item as HTMLElement).queryByRole("link", { name: /Cabinet decision/ });
  expect(decisionOf(items[0])).toHaveAttribute("href", "https://cabinet.example/1");
  expect(decisionOf(items[1])).toBeNull();
  expect(section).toHaveTextContent("half of them cost between LKR 2,000,000 and LKR 5,000,000");
  await userEvent.click(within(section).getByText("The spread in numbers"));
  const median = within(section).getByRole("row", { name: /Median/ });
  expect(median).toHaveTextContent("LKR 3,000,000");
  await userEvent.click(within(section).getByRole("button", { name: "Show 1 more award" }));
  expect(within(section).getAllByRole("listitem")).toHaveLength(6);
});

it("shows nothing if no award is like the tender", async () => {
  respondWith({ awards: [], spreads: [] });
  const { container } = renderAt(<PastAwards id="01939999-0000-7000-8000-0000000000ab" />, { at: "/" });
  await vi.waitFor(() => expect(globalThis.fetch).toHaveBeenCalled());
  expect(container).toHaveTextContent("");
});

it("places equal amounts in the middle of the strip", () => {
  const equal = { ...spread, min: 5, max: 5 };
  expect(positionOf(5, equal)).toBe(160);
  expect(positionOf(spread.min, spread)).toBeLessThan(positionOf(spread.median, spread));
});
