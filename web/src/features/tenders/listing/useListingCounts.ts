// The numbers beside the filters of the listing. Each number says how many tenders the list shows after
// the filter is chosen.

import { useQuery } from "@tanstack/react-query";
import type { Facets, Stats } from "@/api/types.ts";
import {
  type Filters,
  isFiltered,
  listChoices,
  noFilters,
  type StatFilter,
} from "@/shared/tender/filters.ts";
import { tenderFacets } from "@/shared/tender/tenderQueries.ts";
import { tenderStats } from "@/shared/tender/tenderStats.ts";
import type { Sector } from "@/shared/tender/vocabulary.ts";

/** The numbers of the stat cards. */
export type CardCounts = Record<StatFilter | "all", number>;

function countsByName(counts: Facets["sectors"]): Map<string, number> {
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}

function cardsOfStats(stats: Stats): CardCounts {
  const { totalTenders, todayTenders, liveTenders, closedTenders } = stats;
  return { all: totalTenders, today: todayTenders, live: liveTenders, closed: closedTenders };
}

function cardsOfFacets({ statuses, total }: Facets): CardCounts {
  const counts = countsByName(statuses);
  const count = (show: StatFilter) => counts.get(show) ?? 0;
  return { all: total, today: count("today"), live: count("live"), closed: count("closed") };
}

/** The filters that stay when a sector is chosen: the text instead of a card, and the lists. */
export function withSector(filters: Filters, category: Sector | null): Filters {
  return { ...filters, category, show: null, page: 1 };
}

/**
 * The counts for these filters. The counts of all tenders come with the statistics. Others are only
 * requested if they differ, and those of the districts only if they are `wanted`. Only the list itself knows
 * for which tenders a company may bid, so that filter leaves sectors and districts without counts.
 */
export function useListingCounts(filters: Filters, wanted: boolean) {
  const stats = useQuery(tenderStats);
  const ofSectors = withSector(filters, null);
  const ofCards = { ...noFilters, advanced: filters.advanced };
  const hasSectorFilters = isFiltered(ofSectors);
  const hasCardFilters = listChoices(filters.advanced).length > 0;
  const isCounted = !filters.mayBid;
  const facets = useQuery({ ...tenderFacets(filters), enabled: wanted && isCounted });
  const sectorFacets = useQuery({ ...tenderFacets(ofSectors), enabled: hasSectorFilters && isCounted });
  const cardFacets = useQuery({ ...tenderFacets(ofCards), enabled: hasCardFilters });
  const sectors = hasSectorFilters ? sectorFacets.data?.sectors : stats.data?.sectorStats;
  const statCards = stats.data && cardsOfStats(stats.data);
  const facetCards = cardFacets.data && cardsOfFacets(cardFacets.data);
  return {
    stats,
    facets: isCounted ? facets.data : undefined,
    sectors: sectors && isCounted ? countsByName(sectors) : undefined,
    cards: hasCardFilters ? facetCards : statCards,
    areCardsLoading: hasCardFilters ? cardFacets.isPending : stats.isPending,
  };
}
