// The page of saved searches and tenders, with the cards of the listing.

import { SavedPage } from "@/features/saved/SavedPage.tsx";
import { TenderListItem } from "@/features/tenders/listing/TenderListItem.tsx";
import { ClosedDays } from "@/shared/tender/ClosedDays.tsx";

export function Component() {
  return (
    <SavedPage
      renderTender={(tender, bidAnswer) => (
        <TenderListItem
          tender={tender}
          bidAnswer={bidAnswer}
          closingNote={<ClosedDays closing={tender.dates?.closing} />}
        />
      )}
    />
  );
}
