// What is sold, and what the reader holds and has used of it.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError } from "@/api/error.ts";
import type { components } from "@/api/schema.gen.ts";
import { MINUTE, SECOND } from "@/app/queryClient.ts";

export type Plan = components["schemas"]["Plan"];

export const plans = queryOptions({
  queryKey: ["plans"],
  meta: { keptOffline: true },
  queryFn: async ({ signal }) => (await call(api.GET("/subscriptions/plans", { signal }))).plans,
  staleTime: 10 * MINUTE,
  gcTime: 30 * MINUTE,
});

/** What the reader holds; `null` is the free plan. */
export const ownSubscription = queryOptions({
  queryKey: ["subscription", "current"],
  queryFn: async ({ signal }) => {
    try {
      return (await call(api.GET("/subscriptions/user/current", { signal }))).subscription;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  },
  staleTime: 30 * SECOND,
});

/** What the reader has used in the running period. */
export const ownUsage = queryOptions({
  queryKey: ["subscription", "usage"],
  queryFn: async ({ signal }) => (await call(api.GET("/subscriptions/user/usage", { signal }))).usage,
  staleTime: 30 * SECOND,
});
