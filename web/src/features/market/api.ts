// The API calls of the pages of bodies and of the market.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError } from "@/api/error.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";
import type { MarketFilters } from "./marketFilters.ts";

/** The number of bodies on a page of the list. */
const BUYERS_PER_PAGE = 20;

const kept = { staleTime: 5 * MINUTE, gcTime: 10 * MINUTE } as const;

/** One page of bodies. The previous page stays on the screen while this one loads. */
export function buyerList(search: string, page: number) {
  const query = { ...(search && { search }), page, limit: BUYERS_PER_PAGE };
  return queryOptions({
    ...kept,
    queryKey: ["buyers", query],
    queryFn: ({ signal }) => call(api.GET("/buyers", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** A body with its first tenders and its figures. `slug` is its slug or the words of its name. */
export function buyerDetails(slug: string) {
  return queryOptions({
    ...kept,
    queryKey: ["buyer", slug],
    queryFn: ({ signal }) => call(api.GET("/buyers/{slug}", { params: { path: { slug } }, signal })),
    retry: (failures, error) => !isMissing(error) && failures < 2,
  });
}

/** A page of a body's open or past tenders. */
export function buyerTenders(slug: string, show: "open" | "past", page: number) {
  const params = { path: { slug }, query: { show, page } };
  return queryOptions({
    ...kept,
    queryKey: ["buyer", slug, show, page],
    queryFn: ({ signal }) => call(api.GET("/buyers/{slug}/tenders", { params, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The figures of the market. */
export function market(filters: MarketFilters) {
  return queryOptions({
    ...kept,
    queryKey: ["market", filters],
    queryFn: ({ signal }) => call(api.GET("/market", { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Whether the server does not know the body. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404;
}
