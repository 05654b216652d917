import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { newAlert } from "./form.ts";
import { MatchPreview } from "./MatchPreview.tsx";

const form = { ...newAlert, keywords: [{ term: "roof", matchType: "contains" as const }] };
const tamil = { language: "ta", word: "கூரை", keyword: { term: "கூரை", matchType: "starts_with" } };

/** Shows the preview of keywords with these numbers of matches. */
function open(counts: Record<string, number>, equivalents: Record<string, object[]> = {}) {
  const keywords = Object.entries(counts).map(([term, count]) => ({
    term,
    count,
    equivalents: equivalents[term] ?? [],
  }));
  // Of several with the same count, the server names the last one.
  const noisiest = keywords.reduce((most, one) => (one.count >= most.count ? one : most)).term;
  const breadth = { isTooBroad: false, proposals: [] };
  const data = {
    days: 30,
    matchCount: 3,
    hasMore: false,
    matches: [],
    mailsAWeek: 1,
    keywords,
    noisiest,
    breadth,
  };
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ success: true, data }));
  renderAt(<MatchPreview form={form} onAdd={vi.fn()} />);
}

it("names the keyword that finds the most", async () => {
  open({ roof: 2, canal: 1, bridge: 0 });
  expect(await screen.findByText("“roof” finds the most.")).toBeInTheDocument();
});

it.each<Record<string, number>>([{ roof: 1, canal: 1, bridge: 0 }, { roof: 2 }, { roof: 0, canal: 0 }])(
  "names no keyword that does not find more than all others: %o",
  async (counts) => {
    open(counts);
    expect(await screen.findByText(/matches? in the last 30 days/i)).toBeInTheDocument();
    expect(screen.queryByText(/finds the most/)).toBeNull();
  },
);

it("names the keywords for which no words of other languages are known", async () => {
  open({ roof: 2, tarpaulin: 1, gantry: 0 }, { roof: [tamil] });
  expect(await screen.findByRole("button", { name: /கூரை/ })).toBeInTheDocument();
  expect(screen.getByText("No further words are known for: tarpaulin, gantry")).toBeInTheDocument();
});
