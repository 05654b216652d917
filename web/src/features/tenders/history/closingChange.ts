// The change of a tender's closing after its first notice.

import type { Tender } from "@/api/types.ts";
import { CLOSING_PATH } from "@/shared/tender/fieldStates.ts";
import { PUBLISHER_SOURCE } from "./changeHistory.ts";
import { type NoticeSource, noticeSource } from "./noticeSource.ts";

/** How the closing differs from the one of the first notice. */
export interface ClosingChange {
  direction: "extended" | "broughtForward";
  /** The closing of the first notice. */
  from: string;
  /** When the closing last changed. */
  at: string;
  /** The notice that changed it last; `null` for the publisher. */
  notice: NoticeSource | null;
}

/** The change; `null` if the closing is that of the first notice, or if the source of the change is not known. */
export function closingChange({
  changes = [],
  dates,
}: Pick<Tender, "changes" | "dates">): ClosingChange | null {
  const ofClosing = (changes ?? []).filter(({ field }) => field === CLOSING_PATH);
  const from = ofClosing[0]?.from;
  const last = ofClosing.at(-1);
  const closing = dates?.closing;
  if (typeof from !== "string" || !last || !closing) return null;
  const moved = Date.parse(closing) - Date.parse(from);
  const notice = noticeSource(last.source);
  if (!moved || (last.source !== PUBLISHER_SOURCE && !notice)) return null;
  return { direction: moved > 0 ? "extended" : "broughtForward", from, at: last.at, notice };
}

/**
 * Whether notices have corrected fields since the first one, whose text and clip the page shows. The page names
 * the status, which notices may also change.
 */
export function isCorrected({ changes }: Pick<Tender, "changes">): boolean {
  const notices = (changes ?? []).filter(
    ({ field, source }) => field !== "status" && noticeSource(source) !== null,
  );
  return notices.length > 0 && !notices.some(({ field }) => field === "fullTextMarkdown");
}
