// The reader's alerts, what came of them, and what one would match.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError } from "@/api/error.ts";
import type { components } from "@/api/schema.gen.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";

type Schemas = components["schemas"];

export type Alert = Schemas["AlertView"];
export type AlertBody = Schemas["AlertForm"];
export type AlertStats = Schemas["AlertStats"];
export type AlertPreview = Schemas["AlertPreview"];

/** Up to three times, but not what the plan does not permit. */
function retry(failures: number, error: Error): boolean {
  return !(error instanceof ApiError && error.status === 403) && failures < 3;
}

export const alertList = queryOptions({
  queryKey: ["alerts", "list"],
  queryFn: ({ signal }) => call(api.GET("/alerts", { signal })),
  staleTime: 5 * MINUTE,
  gcTime: 10 * MINUTE,
  retry,
});

export const alertStats = queryOptions({
  queryKey: ["alerts", "stats"],
  queryFn: ({ signal }) => call(api.GET("/alerts/stats", { signal })),
  staleTime: 10 * MINUTE,
  gcTime: 15 * MINUTE,
  retry,
});

/** One alert, as it is now: its form is filled with it. */
export function oneAlert(id: string) {
  return queryOptions({
    queryKey: ["alerts", "one", id],
    queryFn: async ({ signal }) =>
      (await call(api.GET("/alerts/{id}", { params: { path: { id } }, signal }))).alert,
    staleTime: 0,
    gcTime: 0,
  });
}

/** A page of what an alert matched. */
export function alertMatches(id: string, page: number) {
  return queryOptions({
    queryKey: ["alerts", "matches", id, page],
    queryFn: ({ signal }) =>
      call(api.GET("/alerts/{id}/matches", { params: { path: { id }, query: { page, limit: 5 } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** What an alert would have matched in the last thirty days. */
export function alertPreview(body: AlertBody) {
  return queryOptions({
    queryKey: ["alerts", "preview", body],
    queryFn: ({ signal }) => call(api.POST("/alerts/preview", { body, signal })),
    placeholderData: keepPreviousData,
    staleTime: MINUTE,
    retry: false,
  });
}
