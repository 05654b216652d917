// How many tenders there are: the counters of Home and of the listing.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { prerenderedResponse } from "@/api/prerendered.ts";
import type { Stats } from "@/api/types.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";
import { type Filters, noFilters, toQuery } from "./filters.ts";

type StatsQuery = Omit<ReturnType<typeof toQuery>, "page" | "limit">;

function statsOf(query: StatsQuery) {
  const isOfAll = Object.keys(query).length === 0;
  const prerendered = () => (isOfAll ? prerenderedResponse<Stats>("stats") : undefined);
  return queryOptions({
    queryKey: ["tenders", "stats", ...(isOfAll ? [] : [query])],
    meta: { cachedOffline: true },
    queryFn: ({ signal }) => call(api.GET("/tenders/stats", { params: { query }, signal })),
    initialData: () => prerendered()?.data,
    initialDataUpdatedAt: () => prerendered()?.at,
    placeholderData: keepPreviousData,
    staleTime: 60 * SECOND,
    gcTime: 5 * MINUTE,
  });
}

/** The counts of all tenders. */
export const tenderStats = statsOf({});

/** The counts of the tenders that match these filters. Without filters, these are the counts of all tenders. */
export function tenderStatsWithin(filters: Filters) {
  const { page: _, limit: __, ...query } = toQuery({ ...filters, sort: noFilters.sort });
  return statsOf(query);
}
