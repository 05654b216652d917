// The details of the tender of a bid, which the board does not have.

import { useQuery } from "@tanstack/react-query";
import type { BidDetails } from "@/api/types.ts";
import { isInWork } from "@/shared/bids.ts";
import { type DetailedTender, tenderDetails } from "@/shared/tender/tenderQueries.ts";

/**
 * The tender of a bid in work, as soon as it is known. Reading it counts as a view, so it is not read for a bid
 * that is delivered or decided.
 */
export function useBidTender({ bid: { stage, tender } }: BidDetails): DetailedTender | undefined {
  return useQuery({ ...tenderDetails(tender._id), enabled: isInWork(stage) && !tender.isLocked }).data;
}
