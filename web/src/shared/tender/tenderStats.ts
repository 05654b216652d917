// How many tenders there are: the counters of Home and of the listing.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { prerenderedResponse } from "@/api/prerendered.ts";
import type { Stats } from "@/api/types.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";

export const tenderStats = queryOptions({
  queryKey: ["tenders", "stats"],
  meta: { cachedOffline: true },
  queryFn: ({ signal }) => call(api.GET("/tenders/stats", { signal })),
  initialData: () => prerenderedResponse<Stats>("stats")?.data,
  initialDataUpdatedAt: () => prerenderedResponse<Stats>("stats")?.at,
  staleTime: 60 * SECOND,
  gcTime: 5 * MINUTE,
});
