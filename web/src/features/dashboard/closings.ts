// Chooses the tenders of the start page that close soon: the user's own bids first, then saved tenders
// and others.

import type { Bid, BidStage, LockedTender, Tender } from "@/api/types.ts";
import { isInWork, isOpen } from "@/shared/bids.ts";

type Listed = Tender | LockedTender;

/** A tender that closes soon: a bid in work, or a tender of a list. */
export type Closing =
  | { kind: "bid"; bid: Bid }
  | { kind: "tender"; tender: Listed; isSaved: boolean; stage: BidStage | null };

const MAX_CLOSINGS = 6;
const MAX_SAVED_CLOSINGS = 4;

function closingOf({ dates }: Listed): number {
  return Date.parse(dates?.closing ?? "");
}

function closingOfBid({ tender }: Bid): number {
  return Date.parse(tender.closing ?? "");
}

/**
 * At most six tenders that close after `now`. The bids that are still in work stand first, the first to close
 * first. Below them follow, by closing time, at most four saved tenders and others from `next`. A tender
 * whose bid is submitted has its stage; a tender whose bid is decided is left out.
 */
export function chooseClosings(
  bids: readonly Bid[],
  saved: readonly Listed[],
  next: readonly Listed[],
  now: number,
): Closing[] {
  const stages = new Map(bids.map(({ tender, stage }) => [tender._id, stage]));
  const own = bids
    .filter((bid) => isInWork(bid.stage) && bid.tender.status === "published" && closingOfBid(bid) >= now)
    .sort((one, other) => closingOfBid(one) - closingOfBid(other))
    .slice(0, MAX_CLOSINGS);
  const isShown = (tender: Listed) => {
    const stage = stages.get(tender._id);
    if (stage !== undefined && (isInWork(stage) || !isOpen(stage))) return false;
    return closingOf(tender) >= now && ("locked" in tender || tender.status === "published");
  };
  const kept = saved.filter(isShown).sort((one, other) => closingOf(one) - closingOf(other));
  const first = kept.slice(0, MAX_SAVED_CLOSINGS);
  const others = next.filter((tender) => isShown(tender) && !first.some(({ _id }) => _id === tender._id));
  const rest = [...first, ...others]
    .slice(0, MAX_CLOSINGS - own.length)
    .sort((one, other) => closingOf(one) - closingOf(other));
  return [
    ...own.map((bid): Closing => ({ kind: "bid", bid })),
    ...rest.map((tender): Closing => {
      const isSaved = kept.some(({ _id }) => _id === tender._id);
      return { kind: "tender", tender, isSaved, stage: stages.get(tender._id) ?? null };
    }),
  ];
}
