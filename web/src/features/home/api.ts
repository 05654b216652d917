// The request of Home: the tenders, newspapers and organisations that the portal chooses.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { prerenderedResponse } from "@/api/prerendered.ts";
import type { HomeHighlights } from "@/api/types.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";

export const homeHighlights = queryOptions({
  queryKey: ["home"],
  meta: { cachedOffline: true },
  queryFn: ({ signal }) => call(api.GET("/home", { signal })),
  initialData: () => prerenderedResponse<HomeHighlights>("home")?.data,
  initialDataUpdatedAt: () => prerenderedResponse<HomeHighlights>("home")?.at,
  staleTime: 60 * SECOND,
  gcTime: 5 * MINUTE,
});
