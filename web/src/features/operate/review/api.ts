// The API calls of the review queue.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import type { ReviewDecision, ReviewNotice } from "@/api/types.ts";
import { SECOND } from "@/shared/queryDefaults.ts";

/** Renews the claims of this reviewer, and claims the next notices up to a number. */
export async function claimNext(count: number): Promise<ReviewNotice[]> {
  const { notices } = await call(api.POST("/operate/review/claims", { body: { count } }));
  return notices;
}

/** Claims one notice. */
export async function claimOne(key: string): Promise<ReviewNotice> {
  const { notice } = await call(api.POST("/operate/review/{key}/claim", { params: { path: { key } } }));
  return notice;
}

/** Gives all claimed notices back. */
export const releaseAll = () => call(api.DELETE("/operate/review/claims"));

export const skip = (key: string) =>
  call(api.POST("/operate/review/{key}/skip", { params: { path: { key } } }));

/** Sends a decision. It arrives also if the reviewer leaves the page at once. */
export const decide = (key: string, decision: ReviewDecision) =>
  call(api.POST("/operate/review/{key}", { params: { path: { key } }, body: decision, keepalive: true }));

/** Undoes the last decision of this reviewer, if it was about the notice `key`. `null`: whatever it was about. */
export async function undo(key: string | null): Promise<ReviewNotice> {
  const query = key ? { notice: key } : {};
  const { notice } = await call(api.POST("/operate/review/undo", { params: { query } }));
  return notice;
}

/** The review queue: its counts and its first notices. */
export const reviewQueue = queryOptions({
  queryKey: ["operate", "review"],
  queryFn: ({ signal }) => call(api.GET("/operate/review", { signal })),
  refetchInterval: 30 * SECOND,
});

/** Tenders that a text finds, for choosing the tender of a notice. */
export function tenderSearch(search: string) {
  return queryOptions({
    queryKey: ["operate", "tenderSearch", search],
    queryFn: ({ signal }) => call(api.GET("/tenders", { params: { query: { search, limit: 9 } }, signal })),
    enabled: search.trim().length > 1,
  });
}
