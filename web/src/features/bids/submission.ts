// The submission of a bid, which its history knows.

import type { BidDetails } from "@/api/types.ts";

/** When and by whom the bid was last marked as submitted. */
export function submissionOf({ history }: Pick<BidDetails, "history">) {
  return history.find(({ kind, after }) => kind === "moved" && after === "submitted");
}
