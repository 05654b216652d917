// The request for the plans on sale. This file has no texts, because the first page loads it.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { prerenderedResponse } from "@/api/prerendered.ts";
import type { Plan } from "@/api/types.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";

export const planOffers = queryOptions({
  queryKey: ["plans"],
  meta: { cachedOffline: true },
  queryFn: async ({ signal }): Promise<Plan[]> =>
    (await call(api.GET("/subscriptions/plans", { signal }))).plans,
  initialData: () => prerenderedResponse<{ plans: Plan[] }>("plans")?.data.plans,
  initialDataUpdatedAt: () => prerenderedResponse("plans")?.at,
  staleTime: 10 * MINUTE,
  gcTime: 30 * MINUTE,
});
