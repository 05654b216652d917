// Auctions among the sales of an organisation.

import type { Tender } from "@/api/types.ts";
import { CLOSING_PATH } from "@/shared/tender/fieldStates.ts";

/** The printed words of the moment at which an auction begins. */
const BEGINS = /\b(?:commenc|start|begin)/i;
const AUCTION = /\bauction/i;

/** Whether an organisation sells by auction, so that nobody sends an offer: the notice prints when it begins. */
export function isAuction({ kind, evidence, fullTextMarkdown }: Tender): boolean {
  return (
    kind === "sale" &&
    BEGINS.test(evidence?.[CLOSING_PATH]?.text ?? "") &&
    AUCTION.test(fullTextMarkdown ?? "")
  );
}
