// The API calls of the pages of bodies and of the market.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError } from "@/api/error.ts";
import { initialAddress, prerenderedResponse } from "@/api/prerendered.ts";
import type { BuyerDetails, LockedTender, Tender } from "@/api/types.ts";
import { paths } from "@/shared/paths.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";
import { toQuery } from "@/shared/tender/filters.ts";
import { listingFilters } from "./listingPath.ts";
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

/** The response in the page that the server prerendered; `null` if that is the page of another body. */
function prerendered(slug: string) {
  const isThis = initialAddress.pathname === paths.buyer(slug);
  return isThis ? prerenderedResponse<BuyerDetails>("buyer") : null;
}

/** A body with its first tenders and its figures. `slug` is its slug or the words of its name. */
export function buyerDetails(slug: string) {
  return queryOptions({
    ...kept,
    queryKey: ["buyer", slug],
    queryFn: ({ signal }) => call(api.GET("/buyers/{slug}", { params: { path: { slug } }, signal })),
    retry: (failures, error) => !isMissing(error) && failures < 2,
    initialData: () => prerendered(slug)?.data,
    initialDataUpdatedAt: () => prerendered(slug)?.at,
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

/** The number of tenders that a page of a part of the market shows. */
const SHOWN_TENDERS = 5;

/** The open tenders of a part of the market, the next closing first. */
export function nextClosings(filters: MarketFilters) {
  const query = { ...toQuery({ ...listingFilters(filters, true), sort: "closing" }), limit: SHOWN_TENDERS };
  return queryOptions({
    ...kept,
    queryKey: ["market", "closings", query],
    queryFn: async ({ signal }) =>
      (await call(api.GET("/tenders", { params: { query }, signal }))).tenders as (Tender | LockedTender)[],
    placeholderData: keepPreviousData,
  });
}

/** Whether the server does not know the body. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404;
}
