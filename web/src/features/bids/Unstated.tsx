// What the notice of a bid does not state, in one line. It is nothing to tick, but something to ask.

import type { BidChecklistRow, BidDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { rowText } from "./checklistText.ts";

export function Unstated({ details, rows }: { details: BidDetails; rows: readonly BidChecklistRow[] }) {
  const { t } = useTranslation();
  if (rows.length === 0) return null;
  const names = rows.map((row) => rowText(row, details, t).title).join(", ");
  return (
    <p className="mt-2 text-sm text-ink-soft wrap-anywhere print:mt-1 print:text-xs">
      {t(`bids.toDo.unstated.${details.bid.tender.publishedBy}`, { names })}
    </p>
  );
}
