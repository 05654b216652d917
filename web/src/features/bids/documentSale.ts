// Whether the documents of a bid can be bought, which the row for their purchase tells.

import type { BidChecklistRow, BidDetails, BidNotice } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { addDays, formatDay } from "@/shared/format/dates.ts";
import type { ProfileFact } from "./profileFacts.ts";

/** The state of a sale that can't be used today. `day` is its first or its last day. */
export interface DocumentSale {
  state: "not-yet" | "over";
  day: string;
}

/** The sale of the documents; `null` for another row, or if they may be sold today. */
export function documentSale(
  { derived }: BidChecklistRow,
  notice: BidNotice | null,
  today: string,
): DocumentSale | null {
  if (derived?.kind !== "buy-documents") return null;
  const from = notice?.documentFee?.saleFrom;
  const isCertain = notice?.fieldStates?.["documentFee.saleFrom"] === undefined;
  if (from && isCertain && from > today) return { state: "not-yet", day: from };
  return derived.day && derived.day < today ? { state: "over", day: derived.day } : null;
}

/** A day that is today or tomorrow, by its word; `null` for another one. */
export function nearDay(day: string | null | undefined, today: string): "today" | "tomorrow" | null {
  if (day === today) return "today";
  return day === addDays(today, 1) ? "tomorrow" : null;
}

/** Whether the user has ticked that the documents are bought. */
export function hasDocuments({ checklist }: Pick<BidDetails, "checklist">): boolean {
  return checklist?.some(({ derived, tick }) => derived?.kind === "buy-documents" && tick !== null) ?? false;
}

/** What the row adds to its text: when the sale begins or ends, if that is near, and whom to ask. */
export function saleFacts(
  row: BidChecklistRow,
  { bid, notice }: Pick<BidDetails, "bid" | "notice">,
  today: string,
  t: Translate,
): ProfileFact[] {
  const { derived } = row;
  const { publishedBy } = bid.tender;
  if (derived?.kind !== "buy-documents") return [];
  const sale = documentSale(row, notice, today);
  const facts: ProfileFact[] = [];
  if (sale) {
    const key = sale.state === "over" ? "shell.tender.saleEnded" : "bids.checklist.soldFrom";
    facts.push({ text: t(key, { day: formatDay(sale.day) }), isWarning: true });
  }
  const near = nearDay(derived.day, today);
  if (near) facts.push({ text: t(`bids.checklist.lastDay.${near}`), isWarning: true, isUrgent: true });
  if (derived.basis === "notice" && !derived.place && sale?.state !== "over") {
    const phone = notice?.organization?.contactPerson?.phone;
    const text = phone
      ? t(`bids.checklist.noSalePlaceAsk.${publishedBy}`, { phone })
      : t(`bids.checklist.noSalePlace.${publishedBy}`);
    facts.push({ text, isWarning: false });
  }
  return facts;
}
