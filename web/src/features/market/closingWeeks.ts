// The open tenders by the week of their closing.

import type { Market } from "@/api/types.ts";
import { addDays } from "@/shared/format/dates.ts";
import { useAccount } from "@/shared/session/account.ts";
import { listingPath } from "./listingPath.ts";
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
const DAYS_AFTER_FIRST = 6;

/** Whether the reader can filter the listing by closings. */
export function useAdvancedSearch(): boolean {
  const { user } = useAccount();
  return user?.role === "admin" || (user?.subscription.features.advancedFiltering ?? false);
}

/** The weeks in which tenders close, for guests without links to the listing. */
export function closingWeeks(
  { closings, closingsNotRead }: Market,
  filters: MarketFilters,
  isListed: boolean,
): ClosingWeek[] {
  const weeks = closings.filter(({ count }) => count > 0);
  if (!isListed) return weeks;
  // The listing of a week also has the tenders whose closing was not read, because they may close in it.
  return weeks.map(({ week, count, uncertain }) => ({
    week,
    count: count + closingsNotRead,
    uncertain: uncertain + closingsNotRead,
    path: listingPath(filters, true, { closingFrom: week, closingUntil: addDays(week, DAYS_AFTER_FIRST) }),
  }));
}
