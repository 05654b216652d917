// The numbers of the listing for the parts of the market. The figures lead to it, so both have to agree.

import { useQuery } from "@tanstack/react-query";
import { parseEnum } from "@/api/enums.ts";
import type { Facets } from "@/api/types.ts";
import { tenderFacets } from "@/shared/tender/tenderQueries.ts";
import { tenderStatsWithin } from "@/shared/tender/tenderStats.ts";
import { listingFilters } from "./listingPath.ts";
import { MARKET_GRADES, type MarketFilters } from "./marketFilters.ts";

type FacetCount = Facets["organizations"][number];
type PartName = keyof MarketFilters;

/** The numbers of tenders that the listing shows for the values of a part of the market. */
export type Listed = (name: PartName) => ReadonlyMap<string, number>;

/**
 * The numbers of the listing. It also finds tenders whose value is not certain, which the figures leave
 * out. Without the advanced search, the listing has no numbers of grades. It has none at all while a grade
 * narrows the figures.
 */
export function useListed(
  { grade, ...rest }: MarketFilters,
  isOpenOnly: boolean,
): { listed: Listed; buyers: readonly FacetCount[]; isLoading: boolean } {
  const { data, isLoading } = useQuery({
    ...tenderFacets(listingFilters(rest, isOpenOnly)),
    enabled: !grade,
  });
  const grades = data?.grades?.filter(({ _id }) => parseEnum(MARKET_GRADES, _id) !== null);
  const counts = { district: data?.districts, sector: data?.sectors, grade: grades };
  const listed: Listed = (name) =>
    new Map(grade ? [] : counts[name]?.map(({ _id, count }) => [_id, count] as const));
  return { listed, buyers: (!grade && data?.organizations) || [], isLoading };
}

/** The number of listed tenders of a part of the market. A filter does not narrow its own numbers. */
export function listedInPart(listed: Listed, { district, sector }: MarketFilters): number | undefined {
  if (district) return listed("district").get(district);
  return sector ? listed("sector").get(sector) : undefined;
}

/**
 * How many tenders of the listing have no category. The others without a sector have the category "Other".
 * `undefined` while it is not known.
 */
export function useUncategorised({ grade, ...rest }: MarketFilters, isOpenOnly: boolean): number | undefined {
  const { data } = useQuery({ ...tenderStatsWithin(listingFilters(rest, isOpenOnly)), enabled: !grade });
  if (grade || !data) return;
  const listed = isOpenOnly ? data.liveTenders : data.totalTenders;
  return Math.max(0, listed - data.categoryStats.reduce((sum, { count }) => sum + count, 0));
}
