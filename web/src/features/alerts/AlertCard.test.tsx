import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { AlertCard } from "./AlertCard.tsx";
import type { Alert } from "./api.ts";

const alert = {
  _id: "a",
  name: "Canals",
  isActive: true,
  keywords: [{ term: "canal", matchType: "contains" }],
  emailSettings: { enabled: true, frequency: "daily", dailySummaryTime: "09:00" },
  channels: [],
  silentChannels: [],
  stats: { totalMatches: 0, emailsSent: 0, lastMatchedAt: "2026-11-20T09:00:00+05:30" },
} as unknown as Alert;

it("names every filter of an alert", () => {
  renderAt(
    <AlertCard
      alert={
        {
          ...alert,
          locations: { districts: ["Galle"], cities: ["Hikkaduwa"] },
          estimatedValue: { min: 5, max: null, currency: "USD" },
          advancedFilters: {
            excludeKeywords: ["dredging", "piling"],
            minDaysUntilClosing: 7,
            maxDaysUntilClosing: 60,
            includedStatuses: ["published", "closed"],
            includedPriorities: ["high"],
          },
        } as unknown as Alert
      }
      isRequested={false}
      onEdit={() => undefined}
    />,
  );
  const line = screen.getByText(/^Districts: Galle/);
  for (const filter of [
    "Cities: Hikkaduwa",
    "Currency: USD",
    "Exclude keywords: dredging, piling",
    "Minimum days until closing: 7",
    "Maximum days until closing: 60",
    "Included tender statuses: Published, Closed",
    "Included priorities: High",
  ]) {
    expect(line).toHaveTextContent(filter);
  }
});

it("leaves out what every new alert has", () => {
  renderAt(
    <AlertCard
      alert={{ ...alert, advancedFilters: { includedStatuses: ["published"] } } as unknown as Alert}
      isRequested={false}
      onEdit={() => undefined}
    />,
  );
  expect(screen.queryByText(/Included tender statuses/)).toBeNull();
});

it("says of how many keywords and organisations it has no room for", () => {
  const keywords = ["a", "b", "c", "d", "e", "f"].map((term) => ({ term, matchType: "contains" as const }));
  const bodies = ["1", "2", "3", "4", "5", "6", "7"];
  renderAt(<AlertCard alert={{ ...alert, keywords, bodies }} isRequested={false} onEdit={() => undefined} />);
  expect(screen.getByText("+3 more")).toBeInTheDocument();
});

it("says that the moment is that of the newest match, not of an e-mail", () => {
  const stats = { totalMatches: 2, emailsSent: 0, lastMatchedAt: "2026-11-20T09:00:00+05:30" };
  renderAt(
    <AlertCard
      alert={{ ...alert, stats } as unknown as Alert}
      isRequested={false}
      onEdit={() => undefined}
    />,
  );
  const line = screen.getByText(/^2 matches/);
  expect(line).toHaveTextContent(
    "2 matches · newest match on Fri 20 Nov 2026, 9.00 a.m. · 0 e-mails sent · next e-mail Sun 22 Nov 2026, 9.00 a.m., if there is anything new",
  );
  // The hyphen of "e-mails" is no place for a line to end.
  expect(screen.getByText("0 e-mails sent")).toHaveClass("whitespace-nowrap");
});

it("offers to match only starts of words if a keyword was found inside longer ones", async () => {
  const match = (before: string) => ({
    _id: before,
    title: "Painting of walls",
    organization: "Ports Authority",
    fieldStates: {},
    keyword: "roof",
    passage: { before, hit: "roof", after: " paint" },
    isIrrelevant: false,
  });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({
      success: true,
      data: { matches: [match("water p"), match("the ")], pagination: { total: 1 } },
    }),
  );
  const onEdit = vi.fn();
  const keywords = [
    { term: "canal", matchType: "contains" },
    { term: "roof", matchType: "contains" },
  ];
  const stats = { ...alert.stats, totalMatches: 2 };
  renderAt(
    <AlertCard
      alert={{ ...alert, keywords, stats } as unknown as Alert}
      isRequested={false}
      onEdit={onEdit}
    />,
  );
  await userEvent.click(screen.getByRole("button", { name: "Show matches" }));
  expect(await screen.findByText("“roof” is also found inside words, such as “proof”.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Only words that start with “roof”" }));
  expect(onEdit).toHaveBeenCalledWith(
    expect.objectContaining({ keywords: [keywords[0], { term: "roof", matchType: "starts_with" }] }),
  );
  expect(screen.queryByRole("button", { name: "Only words that start with “canal”" })).toBeNull();
});
