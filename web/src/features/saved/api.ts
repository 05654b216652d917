// What the reader comes back to: tenders kept, and searches.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import type { LockedTender, Tender } from "@/api/types.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";

/** One page of the tenders that the reader keeps. */
export function savedTenders(page: number) {
  return queryOptions({
    queryKey: ["tenders", "saved", page],
    meta: { keptOffline: true },
    queryFn: async ({ signal }) => {
      const list = await call(api.GET("/saved/tenders", { params: { query: { page } }, signal }));
      return { ...list, tenders: list.tenders as (Tender | LockedTender)[] };
    },
    staleTime: 30 * SECOND,
    gcTime: 5 * MINUTE,
  });
}

/** The reader's searches, and how many the plan includes. */
export const savedSearches = queryOptions({
  queryKey: ["saved", "searches"],
  meta: { keptOffline: true },
  queryFn: ({ signal }) => call(api.GET("/saved/searches", { signal })),
  staleTime: 30 * SECOND,
  gcTime: 5 * MINUTE,
});
