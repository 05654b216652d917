// What the publisher of a tender must do next.

import type { Tender } from "@/api/types.ts";
import { formatTimeOfDay } from "@/shared/format/dates.ts";

/** Something that waits for the publisher. */
export type OwnTenderNeed = "draft" | "closing" | "hour" | "delivery" | "decision";

/** Whether a tender takes bids. */
export function isLive({ status, isExpired }: Pick<Tender, "status" | "isExpired">): boolean {
  return status === "published" && !isExpired;
}

/** What waits for the publisher; `null` for nothing, or if a decision of the portal says it. */
export function needOf({
  status,
  isExpired,
  dates,
  moderation,
  submission,
  sources,
}: Pick<
  Tender,
  "status" | "isExpired" | "dates" | "moderation" | "submission" | "sources"
>): OwnTenderNeed | null {
  if (moderation?.takedown || moderation?.heldAt || moderation?.refusal) return null;
  if (status === "draft") return "draft";
  if (status !== "published") return null;
  if (isExpired) return "decision";
  if (!dates?.closing) return "closing";
  if (formatTimeOfDay(dates.closing) === null) return "hour";
  // A printed notice says it in its text.
  const isPrinted = sources != null && sources.length > 0;
  const saysHow = (submission?.methods?.length ?? 0) > 0 || submission?.place;
  return isPrinted || saysHow ? null : "delivery";
}
