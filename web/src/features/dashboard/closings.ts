// Chooses the tenders of the start page that close soon: the user's own bids and others in one order by
// closing.

import { type Bid, isLocked, type ListedBidAnswer, type LockedTender, type Tender } from "@/api/types.ts";
import { isInWork } from "@/shared/bids.ts";
import { daysUntil } from "@/shared/format/dates.ts";

/** A tender of a list, and whether the user's company may bid, if that is known. */
export interface Listed {
  tender: Tender | LockedTender;
  answer: ListedBidAnswer | null;
}

/** A tender that closes soon: a bid in work, or a tender of a list. */
export type Closing = { kind: "bid"; bid: Bid } | ({ kind: "tender" } & Listed);

/** The tenders of a response, each with its answer. */
export function withAnswers(
  tenders: unknown,
  answers?: readonly (ListedBidAnswer | null)[] | null,
): Listed[] {
  return (tenders as Listed["tender"][]).map((tender, nth) => ({ tender, answer: answers?.[nth] ?? null }));
}

/** What closes soon. */
export interface Closings {
  /** All that closes next, the first to close first. */
  soon: Closing[];
  /** The own bids in work that close after these. Other tenders may close between them. */
  laterBids: Closing[];
}

const MAX_SOON = 6;

const MAX_LATER_BIDS = 3;

/** How many of the tenders that close next are searched. */
export const MAX_NEXT = 20;

function momentOf(closing: Closing): number {
  const at = closing.kind === "bid" ? closing.bid.tender.closing : closing.tender.dates?.closing;
  return Date.parse(at ?? "");
}

/** The last day of the sale of documents; `null` if it is not stated or not certain. */
export function saleEndOf({ documentFee, fieldStates }: Pick<Tender, "documentFee" | "fieldStates">) {
  const isCertain = fieldStates?.["documentFee.saleUntil"] === undefined;
  return isCertain ? (documentFee?.saleUntil ?? null) : null;
}

/** Whether the documents of a tender can't be bought any more. Who bids for one has them, or works on it. */
function isSaleOver(closing: Closing, now: number): boolean {
  if (closing.kind === "bid" || isLocked(closing.tender)) return false;
  const last = saleEndOf(closing.tender);
  return last !== null && daysUntil(last, now) < 0;
}

/**
 * What closes after `now`. `next` are the open tenders that close next, at most `MAX_NEXT`. Nothing is
 * left to do for a bid that is submitted or decided, so its tender is left out. So are sales and tenders whose
 * documents are no longer sold. `elsewhere`
 * are the tenders of the other lists of the page.
 */
export function chooseClosings(
  bids: readonly Bid[],
  next: readonly Listed[],
  elsewhere: ReadonlySet<string>,
  now: number,
): Closings {
  const onBoard = new Set(bids.map(({ tender }) => tender._id));
  const own = bids
    .filter(({ stage, tender }) => isInWork(stage) && tender.status === "published")
    .filter(({ tender }) => !elsewhere.has(tender._id))
    .map((bid): Closing => ({ kind: "bid", bid }));
  const others = next
    .filter(({ tender }) => {
      if (onBoard.has(tender._id) || elsewhere.has(tender._id)) return false;
      return "locked" in tender || (tender.status === "published" && tender.kind !== "sale");
    })
    .map((listed): Closing => ({ kind: "tender", ...listed }));
  const inOrder = [...own, ...others]
    .filter((closing) => momentOf(closing) >= now && !isSaleOver(closing, now))
    .sort((one, other) => momentOf(one) - momentOf(other));
  // After the last tender of a full list, there may be tenders that are not in it.
  const known = next.length < MAX_NEXT ? Infinity : Date.parse(next.at(-1)?.tender.dates?.closing ?? "");
  const soon = inOrder.filter((closing) => momentOf(closing) <= known).slice(0, MAX_SOON);
  const laterBids = inOrder.filter((closing) => closing.kind === "bid" && !soon.includes(closing));
  return { soon, laterBids: laterBids.slice(0, MAX_LATER_BIDS) };
}
