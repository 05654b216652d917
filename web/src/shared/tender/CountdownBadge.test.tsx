import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { CountdownBadge } from "./CountdownBadge.tsx";

const now = "2026-11-21T09:00:00+05:30";

it.each([
  ["2026-11-21T14:00:00+05:30", "Closes today", "urgent"],
  ["2026-11-22T14:00:00+05:30", "Closing in 1 Day", "urgent"],
  ["2026-11-24T14:00:00+05:30", "Closing in 3 Days", "urgent"],
  ["2026-11-26T14:00:00+05:30", "Closing in 5 Days", "soon"],
  ["2026-12-21T14:00:00+05:30", "Closing in 30 Days", "calm"],
  ["2026-11-20T14:00:00+05:30", "Closed", "quiet"],
])("for a closing at %s, shows: %s", (closing, words, tone) => {
  renderAt(<CountdownBadge closing={closing} />, { now });
  expect(screen.getByText(words)).toHaveAttribute("data-tone", tone);
});

it("names an uncertain closing in the same words as the days", () => {
  const { unmount } = renderAt(<CountdownBadge closing="2026-12-21T14:00:00+05:30" isCertain={false} />, {
    now,
  });
  expect(screen.getByText("Closing in 30 Days, not certain")).toHaveAttribute("data-tone", "calm");
  unmount();
  renderAt(<CountdownBadge closing="2026-11-20T14:00:00+05:30" isCertain={false} />, { now });
  expect(screen.getByText("Closed, not certain")).toHaveAttribute("data-tone", "quiet");
});

it.each([
  ["awarded", "Awarded"],
  ["cancelled", "Cancelled"],
  ["withdrawn", "Withdrawn"],
] as const)("counts no days for a tender that is %s", (status, words) => {
  renderAt(<CountdownBadge closing="2026-11-22T14:00:00+05:30" status={status} />, { now });
  expect(screen.getByText(words)).toHaveAttribute("data-tone", "quiet");
  expect(screen.queryByText(/Closing in/)).not.toBeInTheDocument();
});
