// The API calls of the pages about batches of notices that are withdrawn.

import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { BatchForm, BatchWithdrawal } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

/** The time between two requests while a withdrawal is unfinished. */
const POLL_INTERVAL = SECOND;

/** Whether a withdrawal goes on without a person. */
export const isUnfinished = ({ state }: BatchWithdrawal) => state !== "done" && state !== "undone";

/** The withdrawals, latest first. */
export const withdrawalList = infiniteQueryOptions({
  queryKey: ["operate", "batches"],
  queryFn: ({ pageParam: after, signal }) =>
    call(api.GET("/operate/batches", { params: { query: after ? { after } : {} }, signal })),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 2 * SECOND,
  refetchInterval: ({ state: { data } }) =>
    data?.pages.some(({ withdrawals }) => withdrawals.some(isUnfinished)) ? 3 * POLL_INTERVAL : false,
});

/** A withdrawal. */
export function batchWithdrawal(id: string) {
  return queryOptions({
    queryKey: ["operate", "batch", id],
    queryFn: async ({ signal }) =>
      (await call(api.GET("/operate/batches/{id}", { params: { path: { id } }, signal }))).withdrawal,
    staleTime: SECOND,
    refetchInterval: ({ state: { data } }) => (data && isUnfinished(data) ? POLL_INTERVAL : false),
  });
}

/** What the withdrawal of a batch would do now. */
export function batchPreview(batch: BatchForm | null) {
  return queryOptions({
    queryKey: ["operate", "batchPreview", batch],
    queryFn: ({ signal }) => call(api.POST("/operate/batches/preview", { body: batch ?? {}, signal })),
    enabled: batch !== null,
    staleTime: 0,
    retry: false,
  });
}

export function useWithdraw(onStarted: (withdrawal: BatchWithdrawal) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { batch: BatchForm; reason: string; notices: number }) =>
      call(api.POST("/operate/batches", { body })),
    // The new preview may remove the form, so its own callbacks may not run.
    onSuccess: ({ withdrawal }) => onStarted(withdrawal),
    // The preview may be outdated.
    onSettled: () => client.invalidateQueries({ queryKey: ["operate"] }),
  });
}

export function useUndoWithdrawal(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.POST("/operate/batches/{id}/undo", { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["operate"] }),
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}
