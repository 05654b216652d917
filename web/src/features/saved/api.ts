// The API calls of the saved feature: saved searches and saved tenders.

import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { enumValues } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { LockedTender, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

/** The next closing first, or the tender that was saved last. */
export type SavedOrder = "closing" | "saved";

/** All orders, the default first. */
export const SAVED_ORDERS = enumValues<SavedOrder>()("closing", "saved");

/** One page of the saved tenders in an order. */
export function savedTenders(sort: SavedOrder, page: number) {
  return queryOptions({
    queryKey: ["tenders", "saved", sort, page],
    meta: { cachedOffline: true },
    queryFn: async ({ signal }) => {
      const list = await call(api.GET("/saved/tenders", { params: { query: { sort, page } }, signal }));
      return { ...list, tenders: list.tenders as (Tender | LockedTender)[] };
    },
    placeholderData: keepPreviousData,
    staleTime: 30 * SECOND,
    gcTime: 5 * MINUTE,
  });
}

/** The user's saved searches, and how many the plan includes. */
export const savedSearches = queryOptions({
  queryKey: ["saved", "searches"],
  meta: { cachedOffline: true },
  queryFn: ({ signal }) => call(api.GET("/saved/searches", { signal })),
  staleTime: 30 * SECOND,
  gcTime: 5 * MINUTE,
});

/** Saves a search under a name. */
export function useSaveSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; query: string }) => call(api.POST("/saved/searches", { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: savedSearches.queryKey }),
  });
}

export interface SearchUpdate {
  name?: string;
  renewFeed?: boolean;
}

/** Renames a saved search, or gives its feed a new address. */
export function useUpdateSearch(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SearchUpdate) =>
      call(
        api.PUT("/saved/searches/{id}", { params: { path: { id } }, body: { renewFeed: false, ...body } }),
      ),
    onSuccess: (_, { renewFeed }) => {
      toast.success(t(renewFeed ? "tenders.saved.renewed" : "tenders.saved.renamed"));
      return client.invalidateQueries({ queryKey: savedSearches.queryKey });
    },
    onError: (error) => void toast.error(messageOf(error, t("tenders.saved.failed"))),
  });
}

/** Deletes a saved search with its feed. */
export function useDeleteSearch() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.DELETE("/saved/searches/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      toast.success(t("tenders.saved.forgotten"));
      return client.invalidateQueries({ queryKey: savedSearches.queryKey });
    },
    onError: (error) => void toast.error(messageOf(error, t("tenders.saved.failed"))),
  });
}
