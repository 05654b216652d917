// The orders of the saved tenders.

import { enumValues } from "@/api/enums.ts";
import type { LockedTender, Tender } from "@/api/types.ts";
import { countdownTo, endOf } from "@/shared/tender/countdown.ts";

/** The next closing first, or the tender that was saved last. */
export type SavedOrder = "closing" | "saved";

/** All orders, the default first. */
export const SAVED_ORDERS = enumValues<SavedOrder>()("closing", "saved");

type SavedTender = Tender | LockedTender;

/** Open tenders come first, then those without a closing, then those that have ended. */
const RANKS = { open: 0, undated: 1, ended: 2 };

function rankOf(tender: SavedTender, now: number): number {
  const countdown = countdownTo(tender.dates?.closing, now);
  if (("status" in tender && endOf(tender.status)) || countdown?.closed) return RANKS.ended;
  return countdown ? RANKS.open : RANKS.undated;
}

/** The tenders in an order. They are given as they were saved, the last one first. */
export function inOrder(tenders: readonly SavedTender[], order: SavedOrder, now: number): SavedTender[] {
  if (order === "saved") return [...tenders];
  const keyed = tenders.map((tender) => ({
    tender,
    rank: rankOf(tender, now),
    closing: Date.parse(tender.dates?.closing ?? "") || 0,
  }));
  // What closed last is the nearest of what has ended.
  const byClosing = (one: (typeof keyed)[number], other: (typeof keyed)[number]) =>
    one.rank === RANKS.ended ? other.closing - one.closing : one.closing - other.closing;
  return keyed
    .toSorted((one, other) => one.rank - other.rank || byClosing(one, other))
    .map(({ tender }) => tender);
}
