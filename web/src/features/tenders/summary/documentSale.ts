// Whether the bidding documents of an open tender are still sold.

import type { Tender } from "@/api/types.ts";
import { daysUntil } from "@/shared/format/dates.ts";
import { fieldState } from "@/shared/tender/fieldStates.ts";
import { takesNoBids } from "./biddingFacts.ts";

/**
 * The last day of the sale if it has passed while the tender is still open. Who bought the documents before
 * can bid, so this is no error. `null` if they are sold, or if the last day is not known with certainty.
 */
export function endedSale(tender: Tender, now: number): string | null {
  const lastDay = tender.documentFee?.saleUntil;
  if (!lastDay || takesNoBids(tender, now)) return null;
  if (fieldState(tender, "documentFee.saleUntil") !== "certain") return null;
  return daysUntil(lastDay, now) < 0 ? lastDay : null;
}
