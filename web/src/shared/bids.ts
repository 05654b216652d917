// The bid board and its bids, which other features read, and what the stages of its bids mean.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import type { BidStage } from "@/api/types.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";

/** The bid board of the user or the user's team. */
export const bidBoard = queryOptions({
  queryKey: ["bids", "board"],
  meta: { cachedOffline: true },
  queryFn: ({ signal }) => call(api.GET("/bids", { signal })),
  staleTime: 15 * SECOND,
  gcTime: 5 * MINUTE,
});

/** A bid with its notes, tasks and history. */
export function bidDetails(id: string) {
  return queryOptions({
    queryKey: ["bids", "details", id],
    meta: { cachedOffline: true },
    queryFn: ({ signal }) => call(api.GET("/bids/{id}", { params: { path: { id } }, signal })),
    staleTime: 15 * SECOND,
    gcTime: 5 * MINUTE,
  });
}

/** Whether a bid in this stage counts for the plan's number of open bids. */
export function isOpen(stage: BidStage): boolean {
  return stage === "considering" || stage === "preparing" || stage === "submitted";
}

/** Whether there is still work to do before a bid in this stage is delivered. */
export function isInWork(stage: BidStage): boolean {
  return stage === "considering" || stage === "preparing";
}
