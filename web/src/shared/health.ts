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
 * The state that the navigation bar shows. A successful response counts more than the browser's
 * offline flag, because a local portal needs no internet.
 */
export function healthState(online: boolean, data: Health | undefined, error: Error | null): HealthState {
  if (error) {
    if (!online) return "no-internet";
    // `fetch` throws a TypeError if the server can't be reached. A timeout counts as an API error.
    return error instanceof TypeError && !(error instanceof ApiError) ? "backend-offline" : "api-error";
  }
  if (!data) return online ? "checking" : "no-internet";
  return data.database ? "connected" : "api-error";
}
