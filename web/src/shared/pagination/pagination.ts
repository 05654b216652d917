// Computes the numbers of the page links and the range of shown tenders.

import type { Pagination } from "@/api/types.ts";

const MAX_PAGE_BUTTONS = 5;

/** Up to five page numbers, with `current` in the middle if possible. */
export function pageWindow(current: number, total: number): number[] {
  const length = Math.max(0, Math.min(MAX_PAGE_BUTTONS, total));
  const first = Math.max(1, Math.min(current - Math.floor(MAX_PAGE_BUTTONS / 2), total - length + 1));
  return Array.from({ length }, (_, index) => first + index);
}

/** The positions of the first and last shown tender, starting at 1; both 0 without tenders. */
export function shownRange({ current, totalCount }: Pagination, shown: number, pageSize: number) {
  if (shown === 0) return { from: 0, to: 0, total: totalCount };
  const from = (current - 1) * pageSize + 1;
  return { from, to: from + shown - 1, total: totalCount };
}
