// The API calls of the tenders feature: the listing, documents, and actions on one tender.

import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { initialAddress, prerenderedResponse } from "@/api/prerendered.ts";
import type { LockedTender, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { needsUpgrade } from "@/shared/plans/upgradeError.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";
import { type Filters, readFilters, toListQuery, toQuery } from "@/shared/tender/filters.ts";
import { type DetailedTender, tenderDetails } from "@/shared/tender/tenderQueries.ts";
import { toast } from "@/ui/toasts.ts";

/** The answer to "May I bid?" for tenders that state no condition. */
const NO_CONDITION = "not-stated";

type ListResponse = Awaited<ReturnType<typeof fetchList>>;

async function fetchList(query: ReturnType<typeof toListQuery>, signal: AbortSignal) {
  const list = await call(api.GET("/tenders", { params: { query }, signal }));
  return { ...list, tenders: list.tenders as (Tender | LockedTender)[] };
}

/**
 * The prerendered list; `null` if it is missing, answers another query, or the user is signed in.
 */
function prerenderedList(query: ReturnType<typeof toListQuery>) {
  const { pathname, searchParams } = initialAddress;
  const isRequested =
    pathname === paths.tenders &&
    JSON.stringify(query) === JSON.stringify(toListQuery(readFilters(searchParams)));
  return isRequested ? prerenderedResponse<ListResponse>("list") : null;
}

/** One page of the listing. The previous page stays on the screen while this one loads. */
export function tenderList(filters: Filters) {
  const query = toListQuery(filters);
  const prerendered = prerenderedList(query);
  return queryOptions({
    queryKey: ["tenders", "list", query],
    meta: { cachedOffline: true },
    queryFn: ({ signal }) => fetchList(query, signal),
    ...(prerendered && { initialData: prerendered.data, initialDataUpdatedAt: prerendered.at }),
    staleTime: 30 * SECOND,
    gcTime: 5 * MINUTE,
    placeholderData: keepPreviousData,
  });
}

/** The number of listed tenders that state no condition for bidding. */
export function tendersWithoutCondition(filters: Filters) {
  const query = { ...toQuery(filters), page: 1, limit: 1, bidAnswers: NO_CONDITION };
  return queryOptions({
    queryKey: ["tenders", "withoutCondition", query],
    queryFn: async ({ signal }) => (await fetchList(query, signal)).pagination.totalCount,
    staleTime: 30 * SECOND,
    gcTime: 5 * MINUTE,
  });
}

/** The tenders that are similar to the tender with this id. */
export function similarTenders(id: string) {
  return queryOptions({
    queryKey: ["tenders", "similar", id],
    meta: { cachedOffline: true },
    queryFn: async ({ signal }) =>
      (await call(api.GET("/tenders/{id}/similar", { params: { path: { id } }, signal }))).tenders,
    staleTime: 5 * MINUTE,
    gcTime: 10 * MINUTE,
  });
}

/** The past awards that the tender with this id is like, and the spread of their amounts. */
export function pastAwards(id: string) {
  return queryOptions({
    queryKey: ["tenders", "awards", id],
    meta: { cachedOffline: true },
    queryFn: ({ signal }) => call(api.GET("/tenders/{id}/awards", { params: { path: { id } }, signal })),
    staleTime: 5 * MINUTE,
    gcTime: 10 * MINUTE,
  });
}

// Documents

/** The text of a document, for users on a slow connection. */
export function documentText(tenderId: string, documentId: string) {
  const path = { id: tenderId, document: documentId };
  return queryOptions({
    queryKey: ["tenders", "document", path],
    queryFn: ({ signal }) =>
      call(api.GET("/tenders/{id}/documents/{document}/text", { params: { path }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Downloads a document through a signed address. */
export function useDownloadDocument(tenderId: string) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: (document: string) =>
      call(api.GET("/tenders/{id}/documents/{document}", { params: { path: { id: tenderId, document } } })),
    // The server sends an attachment: the browser saves it and stays on this page.
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => void toast.error(messageOf(error, t("tenders.document.failed"))),
  });
}

// Actions on a tender

/** Returns the tender with a changed intention to bid, which also changes the count of bidders. */
function withIntention(tender: DetailedTender, intends: boolean): DetailedTender {
  const change = Number(intends) - Number(tender.intends);
  const { statistics } = tender;
  const applications = Math.max(0, statistics.applications + change);
  return { ...tender, intends, statistics: { ...statistics, applications } };
}

/**
 * Sets or clears "I intend to bid". The change shows at once and is undone if the request fails.
 */
export function useIntentionToBid(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { queryKey } = tenderDetails(id);
  return useMutation({
    mutationFn: (intends: boolean) => {
      const params = { params: { path: { id } } };
      return intends
        ? call(api.PUT("/tenders/{id}/intention", params))
        : call(api.DELETE("/tenders/{id}/intention", params));
    },
    onMutate: async (intends) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (tender) => tender && withIntention(tender, intends));
      return before;
    },
    onError: (error, _, before) => {
      client.setQueryData(queryKey, before);
      toast.error(messageOf(error, t("tenders.intend.failed")));
    },
    onSuccess: ({ intends, statistics, bid = null }) => {
      client.setQueryData(queryKey, (tender) => tender && { ...tender, intends, statistics, bid });
      return client.invalidateQueries({ queryKey: ["bids"] });
    },
  });
}

/** Saves or unsaves a tender. The change shows at once and is undone if the request fails. */
export function useSaveTender(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { queryKey } = tenderDetails(id);
  const show = (isSaved: boolean) =>
    client.setQueryData(queryKey, (tender) => tender && { ...tender, isSaved });
  return useMutation({
    mutationFn: (isSaved: boolean) => {
      const params = { params: { path: { id } } };
      return isSaved
        ? call(api.PUT("/saved/tenders/{id}", params))
        : call(api.DELETE("/saved/tenders/{id}", params));
    },
    onMutate: async (isSaved) => {
      await client.cancelQueries({ queryKey });
      show(isSaved);
    },
    onError: (error, isSaved) => {
      show(!isSaved);
      // If the plan does not include saving, the button shows a dialog instead.
      if (!needsUpgrade(error)) toast.error(messageOf(error, t("tenders.saved.failed")));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ["tenders", "saved"] }),
  });
}

/** Sends the operator a message about a mistake in a tender. */
export function useReportMistake(tenderId: string) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: (form: { name: string; email: string; message: string }) =>
      call(api.POST("/contact", { body: { ...form, tenderId } })),
    retry: false,
    onSuccess: () => void toast.success(t("tenders.mistake.sent")),
  });
}

// For operators

const TRACE_PAGE_SIZE = 50;

/** The matches and messages that result from the changes of a tender. */
export function deliveryTrace(id: string, page: number) {
  return queryOptions({
    queryKey: ["tenders", id, "trace", page],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { page, limit: TRACE_PAGE_SIZE } };
      return call(api.GET("/tenders/{id}/trace", { params, signal }));
    },
    placeholderData: keepPreviousData,
  });
}
