// Chooses the tenders of the start page that close soon. Saved ones are preferred.

import type { LockedTender, Tender } from "@/api/types.ts";

type Listed = Tender | LockedTender;

/** A tender that closes soon. */
export interface Closing {
  tender: Listed;
  isSaved: boolean;
}

const MAX_CLOSINGS = 6;
const MAX_SAVED_CLOSINGS = 4;

function closingOf({ dates }: Listed): number {
  return Date.parse(dates?.closing ?? "");
}

/**
 * At most six tenders that close after `now`, the first to close first: at most four saved ones, and
 * others from `next`.
 */
export function chooseClosings(saved: readonly Listed[], next: readonly Listed[], now: number): Closing[] {
  const isOpen = (tender: Listed) =>
    closingOf(tender) >= now && ("locked" in tender || tender.status === "published");
  const own = saved.filter(isOpen).sort((one, other) => closingOf(one) - closingOf(other));
  const first = own.slice(0, MAX_SAVED_CLOSINGS);
  const others = next.filter((tender) => isOpen(tender) && !first.some(({ _id }) => _id === tender._id));
  const chosen = [
    ...first.map((tender) => ({ tender, isSaved: true })),
    ...others.map((tender) => ({ tender, isSaved: own.some(({ _id }) => _id === tender._id) })),
  ].slice(0, MAX_CLOSINGS);
  return chosen.sort((one, other) => closingOf(one.tender) - closingOf(other.tender));
}
