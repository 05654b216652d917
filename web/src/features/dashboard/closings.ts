// Chooses the tenders of the start page that close soon: the user's own bids first, then others. Each tender
// stands on the page once.

import type { Bid, BidStage, LockedTender, Tender } from "@/api/types.ts";
import { isInWork, isOpen } from "@/shared/bids.ts";

type Listed = Tender | LockedTender;

/** A tender that closes soon: a bid in work, or a tender of a list. */
export type Closing = { kind: "bid"; bid: Bid } | { kind: "tender"; tender: Listed; stage: BidStage | null };

const MAX_CLOSINGS = 6;

function closingOf({ dates }: Listed): number {
  return Date.parse(dates?.closing ?? "");
}

function closingOfBid({ tender }: Bid): number {
  return Date.parse(tender.closing ?? "");
}

/**
 * At most six tenders that close after `now`. The bids that are still in work stand first, the first to close
 * first. Below them follow others from `next` by closing time. A tender whose bid is submitted has its stage; a
 * tender whose bid is decided is left out. `elsewhere` are the tenders that other lists of the page show.
 */
export function chooseClosings(
  bids: readonly Bid[],
  next: readonly Listed[],
  elsewhere: ReadonlySet<string>,
  now: number,
): Closing[] {
  const stages = new Map(bids.map(({ tender, stage }) => [tender._id, stage]));
  const own = bids
    .filter(({ stage, tender }) => isInWork(stage) && tender.status === "published")
    .filter((bid) => closingOfBid(bid) >= now && !elsewhere.has(bid.tender._id))
    .sort((one, other) => closingOfBid(one) - closingOfBid(other))
    .slice(0, MAX_CLOSINGS);
  const others = next
    .filter((tender) => {
      const stage = stages.get(tender._id);
      if (stage !== undefined && (isInWork(stage) || !isOpen(stage))) return false;
      if (elsewhere.has(tender._id)) return false;
      return closingOf(tender) >= now && ("locked" in tender || tender.status === "published");
    })
    .sort((one, other) => closingOf(one) - closingOf(other))
    .slice(0, MAX_CLOSINGS - own.length);
  return [
    ...own.map((bid): Closing => ({ kind: "bid", bid })),
    ...others.map((tender): Closing => ({ kind: "tender", tender, stage: stages.get(tender._id) ?? null })),
  ];
}
