// Keeping and letting go, and what each says.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError, messageOf } from "@/api/error.ts";
import { tenderDetails } from "@/features/tenders/api.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { toast } from "@/ui/toasts.ts";
import { savedSearches } from "./api.ts";

async function refresh(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ["tenders", "saved"] });
}

/** Whether a plan would open what was refused. */
export function needsPlan(error: Error | null): error is ApiError & { plan: string } {
  return error instanceof ApiError && error.plan !== undefined;
}

/** Keeps a tender or lets it go: shown at once, and taken back where the portal refuses it. */
export function useKeepTender(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { queryKey } = tenderDetails(id);
  const show = (isSaved: boolean) =>
    client.setQueryData(queryKey, (tender) => tender && { ...tender, isSaved });
  return useMutation({
    mutationFn: (keep: boolean) => {
      const params = { params: { path: { id } } };
      return keep
        ? call(api.PUT("/saved/tenders/{id}", params))
        : call(api.DELETE("/saved/tenders/{id}", params));
    },
    onMutate: async (keep) => {
      await client.cancelQueries({ queryKey });
      show(keep);
    },
    onError: (error, keep) => {
      show(!keep);
      // What a plan would open is said with the way to it.
      if (!needsPlan(error)) toast.error(messageOf(error, t("tenders.saved.failed")));
    },
    onSuccess: () => refresh(client),
  });
}

/** Keeps the search of this query string under a name. */
export function useSaveSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; query: string }) => call(api.POST("/saved/searches", { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: savedSearches.queryKey }),
  });
}

export interface SearchChange {
  name?: string;
  renewFeed?: boolean;
}

/** Renames one, or gives its feed another address. */
export function useChangeSearch(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SearchChange) =>
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

/** Lets one go, and its feed with it. */
export function useForgetSearch() {
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
