// An item of a list of tenders: the card of a tender, or of a locked one.

import type { ReactNode } from "react";
import { isLocked, type ListedBidAnswer, type LockedTender, type Passage, type Tender } from "@/api/types.ts";
import { LockedTenderCard } from "./LockedTenderCard.tsx";
import { TenderCard } from "./TenderCard.tsx";

interface TenderListItemProps {
  tender: Tender | LockedTender;
  passage?: Passage | null | undefined;
  /** Whether the user's company may bid. */
  bidAnswer?: ListedBidAnswer | null | undefined;
  /** A note below the closing time. */
  closingNote?: ReactNode;
}

export function TenderListItem({ tender, passage, bidAnswer, closingNote }: TenderListItemProps) {
  return isLocked(tender) ? (
    <LockedTenderCard tender={tender} closingNote={closingNote} />
  ) : (
    <TenderCard tender={tender} passage={passage} bidAnswer={bidAnswer} closingNote={closingNote} />
  );
}
