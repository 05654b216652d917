// What the listing, the details and the counters ask of the portal.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf, firstAddress } from "@/api/answers.ts";
import { api, call, session } from "@/api/client.ts";
import { ApiError } from "@/api/error.ts";
import type { LockedTender, Stats, Tender } from "@/api/types.ts";
import { paths } from "@/shared/paths.ts";
import { noteOpened, noteUsedUp } from "@/shared/plans/guestAllowance.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";
import { type Filters, readFilters, toQuery } from "@/shared/tender/filters.ts";

/** A tender, and what it is to the reader. */
export type DetailedTender = Tender & { intends: boolean; isSaved: boolean; fetchesDocuments: boolean };

type ListAnswer = Awaited<ReturnType<typeof fetchList>>;

async function fetchList(query: ReturnType<typeof toQuery>, signal: AbortSignal) {
  const list = await call(api.GET("/tenders", { params: { query }, signal }));
  return { ...list, tenders: list.tenders as (Tender | LockedTender)[] };
}

/** The list that came with the page, where it is the one that is asked for. */
function listOfPage(query: ReturnType<typeof toQuery>) {
  const { pathname, searchParams } = firstAddress;
  const isAsked =
    pathname === paths.tenders &&
    JSON.stringify(query) === JSON.stringify(toQuery(readFilters(searchParams)));
  return isAsked ? answerOf<ListAnswer>("list") : null;
}

/** One page of the listing. The page before stays on the screen until the next is there. */
export function tenderList(filters: Filters) {
  const query = toQuery(filters);
  const given = listOfPage(query);
  return queryOptions({
    queryKey: ["tenders", "list", query],
    meta: { keptOffline: true },
    queryFn: ({ signal }) => fetchList(query, signal),
    ...(given && { initialData: given.data, initialDataUpdatedAt: given.at }),
    staleTime: 30 * SECOND,
    gcTime: 5 * MINUTE,
    placeholderData: keepPreviousData,
  });
}

/** How many tenders each choice of the advanced search would leave. */
export function tenderFacets(filters: Filters) {
  const query = toQuery({ ...filters, page: 1 });
  return queryOptions({
    queryKey: ["tenders", "facets", query],
    meta: { keptOffline: true },
    queryFn: ({ signal }) => call(api.GET("/tenders/facets", { params: { query }, signal })),
    staleTime: 30 * SECOND,
    gcTime: 5 * MINUTE,
    placeholderData: keepPreviousData,
  });
}

/** What may be searched for, while it is typed. */
export function tenderSuggestions(text: string) {
  return queryOptions({
    queryKey: ["tenders", "suggestions", text],
    queryFn: async ({ signal }) =>
      (await call(api.GET("/tenders/suggestions", { params: { query: { text } }, signal }))).suggestions,
    enabled: text.length > 1,
    staleTime: 60 * SECOND,
    gcTime: 5 * MINUTE,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

/** Tenders like one. */
export function similarTenders(id: string) {
  return queryOptions({
    queryKey: ["tenders", "similar", id],
    meta: { keptOffline: true },
    queryFn: async ({ signal }) =>
      (await call(api.GET("/tenders/{id}/similar", { params: { path: { id } }, signal }))).tenders,
    staleTime: 5 * MINUTE,
    gcTime: 10 * MINUTE,
  });
}

/** One tender's details. Asking counts as a view: never asked for ahead. */
export function tenderDetails(id: string) {
  return queryOptions({
    queryKey: ["tenders", "details", id],
    meta: { keptOffline: true },
    queryFn: async ({ signal }): Promise<DetailedTender> => {
      const isGuest = session.read() === null;
      try {
        const { tender, ...own } = await call(api.GET("/tenders/{id}", { params: { path: { id } }, signal }));
        if (isGuest) noteOpened(id, Date.now());
        return { ...(tender as Tender), ...own };
      } catch (error) {
        if (isGuest && error instanceof ApiError && error.code === "quota") noteUsedUp(Date.now());
        throw error;
      }
    },
    staleTime: 5 * MINUTE,
    gcTime: 10 * MINUTE,
    refetchOnReconnect: false,
  });
}

/** The counters of Home and of the listing. */
export const tenderStats = queryOptions({
  queryKey: ["tenders", "stats"],
  meta: { keptOffline: true },
  queryFn: ({ signal }) => call(api.GET("/tenders/stats", { signal })),
  initialData: () => answerOf<Stats>("stats")?.data,
  initialDataUpdatedAt: () => answerOf<Stats>("stats")?.at,
  staleTime: 60 * SECOND,
  gcTime: 5 * MINUTE,
});
