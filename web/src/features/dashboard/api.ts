// The API requests of the dashboard.

import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { components } from "@/api/schema.gen.ts";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { addDays } from "@/shared/format/dates.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";
import { type Filters, noFilters, toQuery as toListingQuery } from "@/shared/tender/filters.ts";
import type { Sector } from "@/shared/tender/vocabulary.ts";
import { toast } from "@/ui/toasts.ts";
import { MAX_NEXT, withAnswers } from "./closings.ts";
import { type OwnTenderFilters, toQuery } from "./ownTenderFilters.ts";
import { WEEK_DAYS } from "./week.ts";

/** One page of the supplier's own tenders, including drafts, and the counts per status. */
export function myTenders(filters: OwnTenderFilters) {
  const query = toQuery(filters);
  return queryOptions({
    queryKey: ["tenders", "mine", query],
    meta: { cachedOffline: true },
    queryFn: async ({ signal }) => {
      const mine = await call(api.GET("/tenders/user/my-tenders", { params: { query }, signal }));
      return { items: mine.items as Tender[], counts: mine.counts, pagination: mine.pagination };
    },
    placeholderData: keepPreviousData,
  });
}

export function useChangeTenderStatus() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: Tender["status"] }) =>
      call(api.PUT("/tenders/{id}", { params: { path: { id } }, body: { status } })),
    onSuccess: () => {
      toast.success(t("publish.updated"));
      return client.invalidateQueries({ queryKey: ["tenders"] });
    },
    onError: (error) =>
      toast.error(t("publish.errorTitle"), { description: messageOf(error, t("publish.updateFailed")) }),
  });
}

/** Deletes a draft, or withdraws a published tender. */
export function useDeleteTender() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string; isDraft: boolean }) =>
      call(api.DELETE("/tenders/{id}", { params: { path: { id } } })),
    onSuccess: (_, { isDraft }) => {
      toast.success(t(isDraft ? "publish.deleted" : "publish.withdrawn"));
      return client.invalidateQueries({ queryKey: ["tenders"] });
    },
    onError: (error) =>
      toast.error(t("publish.errorTitle"), { description: messageOf(error, t("publish.deleteFailed")) }),
  });
}

/** How many saved tenders are searched for those that close soon. */
const MAX_SAVED = 50;

/** The saved tenders, the next to close first. */
export const nextSaved = queryOptions({
  queryKey: ["tenders", "saved", "next"],
  meta: { cachedOffline: true },
  queryFn: async ({ signal }) => {
    const query = { sort: "closing", page: 1, limit: MAX_SAVED } as const;
    const { tenders, bidAnswers } = await call(api.GET("/saved/tenders", { params: { query }, signal }));
    return withAnswers(tenders, bidAnswers);
  },
  staleTime: 30 * SECOND,
  gcTime: 5 * MINUTE,
});

/** The open tenders of these sectors that close next; of all sectors if none is given. */
export function nextClosings(sectors: readonly Sector[]) {
  return queryOptions({
    queryKey: ["tenders", "next-closings", sectors],
    meta: { cachedOffline: true },
    queryFn: async ({ signal }) => {
      const filters: Filters = {
        ...noFilters,
        show: "live",
        sort: "closing",
        advanced: { sectors: [...sectors] },
      };
      const query = { ...toListingQuery(filters), limit: MAX_NEXT };
      const { tenders, bidAnswers } = await call(api.GET("/tenders", { params: { query }, signal }));
      return withAnswers(tenders, bidAnswers);
    },
    staleTime: 30 * SECOND,
    gcTime: 5 * MINUTE,
  });
}

/** Tasks that are late by more days are not listed. */
const LATE_DAYS = 30;

/**
 * The deadlines of the user's bids and saved tenders until a week after a day, and the tasks that are due
 * until then. What was before that day is included, because a task may be late.
 */
export function weekAhead(today: string) {
  const query = { from: addDays(today, -LATE_DAYS), to: addDays(today, WEEK_DAYS) };
  return queryOptions({
    queryKey: ["bids", "week", today],
    meta: { cachedOffline: true },
    queryFn: ({ signal }) => call(api.GET("/calendar", { params: { query }, signal })),
    staleTime: 30 * SECOND,
    gcTime: 5 * MINUTE,
  });
}

/** A new match of an alert. */
export type RecentMatch = components["schemas"]["RecentTenderMatch"];

/** The newest matches of the user's alerts, without those that are marked as irrelevant. */
export const recentMatches = queryOptions({
  queryKey: ["alerts", "recent-matches"],
  meta: { cachedOffline: true },
  queryFn: async ({ signal }) => (await call(api.GET("/alerts/matches", { signal }))).matches,
  staleTime: 30 * SECOND,
  gcTime: 5 * MINUTE,
});

/** Marks a match as irrelevant, or removes the mark. The row stays until the page is opened again. */
export function useMarkIrrelevant({ _id, alertId }: RecentMatch) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (isIrrelevant: boolean) => {
      const params = { params: { path: { id: alertId, tender: _id } } };
      return isIrrelevant
        ? call(api.PUT("/alerts/{id}/matches/{tender}/irrelevance", params))
        : call(api.DELETE("/alerts/{id}/matches/{tender}/irrelevance", params));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ["alerts"], refetchType: "none" }),
    onError: (error) =>
      toast.error(t("alerts.failed.mark"), { description: messageOf(error, t("alerts.failed.generic")) }),
  });
}
