// The numbers beside the filters of the listing. Each number says how many tenders the list shows after
// the filter is chosen.

import { useQuery } from "@tanstack/react-query";
import type { Stats } from "@/api/types.ts";
import { type Filters, keepBasicFilters, type StatFilter } from "@/shared/tender/filters.ts";
import { tenderFacets } from "@/shared/tender/tenderQueries.ts";
import { tenderStatsWithin } from "@/shared/tender/tenderStats.ts";
import type { Sector } from "@/shared/tender/vocabulary.ts";

/** The numbers of the stat cards. */
export type CardCounts = Record<StatFilter | "all", number>;

/** The filters that stay when a sector is chosen: the text instead of a card, and the lists. */
export function withSector(filters: Filters, category: Sector | null): Filters {
  return { ...filters, category, show: null, page: 1 };
}

/**
 * The filters that stay when a stat card is chosen: the districts and the two switches. The card of all
 * tenders shows the closed ones too.
 */
export function withCard(filters: Filters, show: StatFilter | null): Filters {
  const basic = keepBasicFilters(filters);
  return { ...basic, show, hideClosed: show !== null && basic.hideClosed };
}

function cardsOf({ totalTenders, todayTenders, liveTenders, closedTenders }: Stats): CardCounts {
  return { all: totalTenders, today: todayTenders, live: liveTenders, closed: closedTenders };
}

/** The number of tenders in the list of these filters, without regard to who may bid. */
function countListed(stats: Stats, { show, hideClosed }: Filters): number {
  return cardsOf(stats)[show ?? (hideClosed ? "live" : "all")];
}

/** The number of tenders of no sector. The sectors, unlike the totals, leave out hidden tenders. */
function countOther(stats: Stats, { hideClosed, advanced }: Filters): number | undefined {
  // The sectors of the advanced search narrow the totals only.
  if (advanced.sectors) return undefined;
  const inSectors = stats.sectorStats.reduce((sum, { count }) => sum + count, 0);
  return Math.max(0, (hideClosed ? stats.liveTenders : stats.totalTenders) - inSectors);
}

/**
 * The counts for these filters. Those of the districts are only requested if they are `wanted`. Only the list
 * itself knows for which tenders a company may bid, so that the counts ignore that filter.
 */
export function useListingCounts(filters: Filters, wanted: boolean) {
  // The cards decide about closed tenders themselves.
  const cardStats = useQuery(tenderStatsWithin(withCard(filters, null)));
  const sectorStats = useQuery(tenderStatsWithin(withSector(filters, null)));
  // A sector leaves the card, so the sectors count without it. The categories beside them count the same.
  const categoryStats = useQuery(tenderStatsWithin({ ...filters, show: null }));
  const facets = useQuery({ ...tenderFacets(filters), enabled: wanted });
  const sectors = sectorStats.data?.sectorStats;
  return {
    /** Unlike the others, the counts of the cards never depend on a filter that the list refuses. */
    stats: cardStats,
    facets: facets.data,
    sectors: sectors && new Map(sectors.map(({ _id, count }) => [_id, count])),
    /** The number of tenders that belong to no sector. */
    other: sectorStats.data && countOther(sectorStats.data, filters),
    categories: categoryStats.data?.categoryStats,
    cards: cardStats.data && cardsOf(cardStats.data),
    /** The number of tenders in the list, also those for which the company can't bid. */
    listed: categoryStats.data && countListed(categoryStats.data, filters),
    areCardsLoading: cardStats.isPending,
  };
}
