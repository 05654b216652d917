// Which page buttons are shown, and which tenders the listing says it shows.

import type { Pagination } from "@/api/types.ts";

const BUTTONS = 5;

/** At most five page numbers, with `current` in the middle where there is room on both sides. */
export function pageWindow(current: number, total: number): number[] {
  const length = Math.max(0, Math.min(BUTTONS, total));
  const first = Math.max(1, Math.min(current - Math.floor(BUTTONS / 2), total - length + 1));
  return Array.from({ length }, (_, index) => first + index);
}

/** The places of the first and the last tender shown, from 1; both 0 when none is. */
export function shownRange({ current, totalCount }: Pagination, shown: number, pageSize: number) {
  if (shown === 0) return { from: 0, to: 0, total: totalCount };
  const from = (current - 1) * pageSize + 1;
  return { from, to: from + shown - 1, total: totalCount };
}
