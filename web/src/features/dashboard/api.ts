// The signed-in supplier's own tenders.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import type { Tender } from "@/api/types.ts";
import { type MineFilters, queryOf } from "./ownTenderFilters.ts";

/** One page of them, drafts too, and how many of each there are in all. */
export function myTenders(filters: MineFilters) {
  const query = queryOf(filters);
  return queryOptions({
    queryKey: ["tenders", "mine", query],
    meta: { keptOffline: true },
    queryFn: async ({ signal }) => {
      const mine = await call(api.GET("/tenders/user/my-tenders", { params: { query }, signal }));
      return { items: mine.items as Tender[], counts: mine.counts, pagination: mine.pagination };
    },
    placeholderData: keepPreviousData,
  });
}
