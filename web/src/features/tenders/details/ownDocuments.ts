// Whether the user's company has the bidding documents of a tender. Then the end of their sale is no
// obstacle.

import { useQuery } from "@tanstack/react-query";
import type { Bidding } from "@/api/types.ts";
import { bidDetails, isInWork } from "@/shared/bids.ts";
import { useNow } from "@/shared/clock.ts";
import { answerWithDocuments } from "@/shared/tender/bidAnswer.ts";
import type { DetailedTender } from "@/shared/tender/tenderQueries.ts";
import { endedSale } from "../summary/documentSale.ts";

/** What the page tells of the documents. */
export interface OwnDocuments {
  /** The last day of the sale, if it has passed and the user may lack the documents. */
  endedSale: string | null;
  /** The answer to "May I bid?", which does not ask for documents that the user has. */
  bidding: Bidding | null;
}

/**
 * Nobody submits a bid without the documents. Before that, the checklist of the bid has a row for their
 * purchase, which is read only if it matters.
 */
export function useOwnDocuments(tender: DetailedTender): OwnDocuments {
  const lastDay = endedSale(tender, useNow());
  const { bid, bidding = null } = tender;
  const asksChecklist = lastDay !== null && bid != null && (isInWork(bid.stage) || bid.stage === "dropped");
  const { data } = useQuery({ ...bidDetails(bid?._id ?? ""), enabled: asksChecklist });
  const isTicked = data?.checklist?.some(
    ({ derived, tick }) => derived?.kind === "buy-documents" && tick !== null,
  );
  const hasDocuments = bid != null && (asksChecklist ? isTicked === true : lastDay !== null);
  if (!hasDocuments) return { endedSale: lastDay, bidding };
  return { endedSale: null, bidding: bidding && answerWithDocuments(bidding) };
}
