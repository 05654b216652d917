// The open tenders by the week of their closing. Readers with the advanced search get the numbers of the
// listing, which leads to the tenders of each week.

import { useQuery } from "@tanstack/react-query";
import type { Market } from "@/api/types.ts";
import { addDays } from "@/shared/format/dates.ts";
import { useAccount } from "@/shared/session/account.ts";
import { tenderCounts } from "./api.ts";
import { listingFilters, listingPath } from "./listingPath.ts";
import type { MarketFilters } from "./marketFilters.ts";

/** A week with the number of tenders that close in it. */
export interface ClosingWeek {
  /** The first day. */
  week: string;
  count: number;
  /** The listing of these tenders, for readers who can filter it by closings. */
  path?: string;
  /** How many of them have a closing that is not certain. */
  uncertain: number;
}

/** The days of a week after its first one. */
export const DAYS_AFTER_FIRST = 6;

/**
 * How many of the open tenders of a page are in none of its weeks and do not close later with certainty:
 * their closing is not certain, or they are in this part of the market without certainty.
 */
export function closingsInNoWeek({ open, closings, closingsNotCertain }: Market, listed: number): number {
  const inWeeks = closings.reduce((sum, { count }) => sum + count, 0);
  const later = Math.max(0, open - inWeeks - closingsNotCertain);
  return Math.max(0, listed - inWeeks - later);
}

/** Whether the reader can filter the listing by closings. */
export function useAdvancedSearch(): boolean {
  const { user } = useAccount();
  return user?.role === "admin" || (user?.subscription.features.advancedFiltering ?? false);
}

/** The weeks of `closings`. The listing also finds tenders whose closing is not certain. */
export function useClosingWeeks(
  closings: Market["closings"],
  filters: MarketFilters,
): { weeks: ClosingWeek[]; isLoading: boolean } {
  const isListed = useAdvancedSearch();
  const bounds = closings.map(({ week }) => ({
    closingFrom: week,
    closingUntil: addDays(week, DAYS_AFTER_FIRST),
  }));
  const listed = listingFilters(filters, true);
  const { data, isLoading } = useQuery({
    ...tenderCounts(bounds.map((bound) => ({ ...listed, advanced: { ...listed.advanced, ...bound } }))),
    enabled: isListed,
  });
  const weeks = closings.map(({ week, count }, index): ClosingWeek => {
    const found = data?.[index];
    if (!isListed || found === undefined) return { week, count, uncertain: 0 };
    const path = listingPath(filters, true, { ...bounds[index] });
    return { week, count: found, path, uncertain: Math.max(0, found - count) };
  });
  return { weeks, isLoading };
}
