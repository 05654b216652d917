// Queries about tenders that several features use.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call, session } from "@/api/client.ts";
import { ApiError } from "@/api/error.ts";
import type { Bidding, BidReference, ShortNotice, Tender } from "@/api/types.ts";
import { recordOpenedTender, recordQuotaUsedUp } from "@/shared/plans/guestAllowance.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";
import { type Filters, toQuery } from "./filters.ts";

/** A tender, with the fields that depend on the current user. */
export type DetailedTender = Tender & {
  intends: boolean;
  isSaved: boolean;
  fetchesDocuments: boolean;
  bidding?: Bidding | null;
  shortNotice?: ShortNotice | null;
  /** The bid on the user's board. */
  bid?: BidReference | null;
};

/** The number of tenders for each choice of the advanced search. */
export function tenderFacets(filters: Filters) {
  const query = toQuery({ ...filters, page: 1 });
  return queryOptions({
    queryKey: ["tenders", "facets", query],
    meta: { cachedOffline: true },
    queryFn: ({ signal }) => call(api.GET("/tenders/facets", { params: { query }, signal })),
    staleTime: 30 * SECOND,
    gcTime: 5 * MINUTE,
    placeholderData: keepPreviousData,
  });
}

/** The details of a tender. Each request counts as a view, so the app never prefetches details. */
export function tenderDetails(id: string) {
  return queryOptions({
    queryKey: ["tenders", "details", id],
    meta: { cachedOffline: true },
    queryFn: async ({ signal }): Promise<DetailedTender> => {
      const isGuest = session.read() === null;
      try {
        const { tender, ...own } = await call(api.GET("/tenders/{id}", { params: { path: { id } }, signal }));
        if (isGuest) recordOpenedTender(id, Date.now());
        return { ...(tender as Tender), ...own };
      } catch (error) {
        if (isGuest && error instanceof ApiError && error.code === "quota") recordQuotaUsedUp(Date.now());
        throw error;
      }
    },
    staleTime: 5 * MINUTE,
    gcTime: 10 * MINUTE,
    refetchOnReconnect: false,
  });
}
