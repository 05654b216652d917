// An item of a list of tenders: the card of a tender, or of a locked one.

import { isLocked, type ListedBidAnswer, type LockedTender, type Passage, type Tender } from "@/api/types.ts";
import { LockedTenderCard } from "./LockedTenderCard.tsx";
import { TenderCard } from "./TenderCard.tsx";

interface TenderListItemProps {
  tender: Tender | LockedTender;
  passage?: Passage | null | undefined;
  /** Whether the user's company may bid. */
  bidAnswer?: ListedBidAnswer | null | undefined;
}

export function TenderListItem({ tender, passage, bidAnswer }: TenderListItemProps) {
  return isLocked(tender) ? (
    <LockedTenderCard tender={tender} />
  ) : (
    <TenderCard tender={tender} passage={passage} bidAnswer={bidAnswer} />
  );
}
