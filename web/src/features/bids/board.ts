// The order of the bids on the board, and what a move does to it.

import { enumValues } from "@/api/enums.ts";
import type { Bid, BidStage } from "@/api/types.ts";
import { isInWork, isOpen } from "@/shared/bids.ts";

/** The stages in the order of the board. */
export const STAGES = enumValues<BidStage>()(
  "considering",
  "preparing",
  "submitted",
  "won",
  "lost",
  "dropped",
);

/** A place on the board: before another bid of the stage, or after all of them. */
export interface Placement {
  stage: BidStage;
  /** The id of the bid before which this one stands; `null` for the last place. */
  before: string | null;
}

/** The bids of a stage in their order. */
export function bidsIn(bids: readonly Bid[], stage: BidStage): Bid[] {
  return bids.filter((bid) => bid.stage === stage);
}

/** The moment of the closing; without one, it counts as the last. */
function closingOf({ tender }: Bid): number {
  return tender.closing === null ? Infinity : Date.parse(tender.closing);
}

/** The bids of open stages by closing, those without one last. Closed stages keep their order. */
export function byClosing(bids: readonly Bid[]): Bid[] {
  return STAGES.flatMap((stage) => {
    const column = bidsIn(bids, stage);
    // Two bids without a closing differ by NaN.
    return isOpen(stage) ? column.sort((one, other) => closingOf(one) - closingOf(other) || 0) : column;
  });
}

/** The stage of the bid in work that closes next, else the first stage with a bid. */
export function firstStage(bids: readonly Bid[], now: number): BidStage {
  const ahead = bids.filter(
    (bid) => isInWork(bid.stage) && bid.tender.closing !== null && closingOf(bid) >= now,
  );
  const next = ahead.sort((one, other) => closingOf(one) - closingOf(other))[0];
  return next?.stage ?? STAGES.find((stage) => bidsIn(bids, stage).length > 0) ?? "considering";
}

/**
 * The bids after one of them was moved, in the order that the server has after the same move. Among
 * closed bids, the one that was moved last stands first.
 */
export function placed(bids: readonly Bid[], id: string, { stage, before }: Placement): Bid[] {
  const moved = bids.find((bid) => bid._id === id);
  if (!moved) return [...bids];
  const others = bids.filter((bid) => bid._id !== id);
  const column = bidsIn(others, stage);
  const neighbour = isOpen(stage) ? column.find((bid) => bid._id === before) : column[0];
  const at = neighbour ? others.indexOf(neighbour) : others.length;
  return [...others.slice(0, at), { ...moved, stage }, ...others.slice(at)];
}

/** A key that moves a bid. */
export type MoveKey = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/**
 * Where a key moves a bid: up and down within its stage, left and right to the neighbouring stages.
 * `null`: it can't go further, or closed bids have no order.
 */
export function placementOfKey(bids: readonly Bid[], bid: Bid, key: MoveKey): Placement | null {
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const stage = STAGES[STAGES.indexOf(bid.stage) + (key === "ArrowLeft" ? -1 : 1)];
    return stage ? { stage, before: bidsIn(bids, stage)[0]?._id ?? null } : null;
  }
  if (!isOpen(bid.stage)) return null;
  const column = bidsIn(bids, bid.stage);
  const at = column.findIndex((other) => other._id === bid._id);
  if (key === "ArrowUp") {
    const above = column[at - 1];
    return above ? { stage: bid.stage, before: above._id } : null;
  }
  return at + 1 < column.length ? { stage: bid.stage, before: column[at + 2]?._id ?? null } : null;
}

/** Whether a move changes nothing. */
export function staysInPlace(bids: readonly Bid[], bid: Bid, { stage, before }: Placement): boolean {
  if (stage !== bid.stage) return false;
  if (!isOpen(stage) || before === bid._id) return true;
  const column = bidsIn(bids, stage);
  const next = column[column.findIndex((other) => other._id === bid._id) + 1];
  return (next?._id ?? null) === before;
}
