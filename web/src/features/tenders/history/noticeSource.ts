// The notice that changed a tender, as the server names it in the source of a change.

import type { Tender } from "@/api/types.ts";
import { webAddress } from "@/shared/clip/webAddress.ts";

export interface NoticeSource {
  publication: string;
  day: string;
  page: number | null;
}

/** The newspaper, the day, and the page if it is known. */
const NOTICE_PATTERN = /^(.+), (\d{4}-\d{2}-\d{2})(?:, (?:page (\d+)|.+))?$/;

/** The notice that a source names; `null` if the source is no notice. */
export function noticeSource(source: string): NoticeSource | null {
  const [, publication, day, page] = NOTICE_PATTERN.exec(source) ?? [];
  return publication && day ? { publication, day, page: page ? Number(page) : null } : null;
}

/** The address of the notice's clip, if the tender has it. */
export function clipOfNotice(
  { sources }: Pick<Tender, "sources">,
  { publication, day, page }: NoticeSource,
): string | null {
  const source = sources?.find(
    (candidate) =>
      candidate.publication === publication &&
      candidate.date === day &&
      (page === null || candidate.page === page),
  );
  return webAddress(source?.clipUrl);
}
