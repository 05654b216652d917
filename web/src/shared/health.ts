// The health of the portal, requested every half minute.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError } from "@/api/error.ts";
import type { Health } from "@/api/types.ts";
import { SECOND } from "./queryDefaults.ts";

export type HealthState = "no-internet" | "checking" | "connected" | "api-error" | "backend-offline";

export const health = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => call(api.GET("/health", { signal })),
  refetchInterval: 30 * SECOND,
  retry: false,
  staleTime: 0,
});

/**
 * The state of the badge. A response counts more than the browser's offline flag, because a local
 * portal needs no internet.
 */
export function healthState(online: boolean, data: Health | undefined, error: Error | null): HealthState {
  if (error) {
    if (!online) return "no-internet";
    // `fetch` throws a TypeError without a response. Any other error is a response.
    return error instanceof TypeError && !(error instanceof ApiError) ? "backend-offline" : "api-error";
  }
  if (!data) return online ? "checking" : "no-internet";
  return data.database ? "connected" : "api-error";
}
