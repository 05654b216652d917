// The rows of the checklist of a bid in words.

import type { BidChecklistRow, BidDetails } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { formatDay, formatMoment } from "@/shared/format/dates.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { gradeText } from "@/shared/tender/gradeText.ts";

type Derived = NonNullable<BidChecklistRow["derived"]>;

/** What the words of a row rest on besides the row: the title of the tender, and its notice if known. */
export type RowContext = Pick<BidDetails, "bid" | "notice">;

/** The kinds of rows that have words of their own. */
export const ROW_KINDS = [
  "buy-documents",
  "pre-bid",
  "bid-security",
  "lot-security",
  "cida",
  "contracts-act",
  "turnover",
  "experience",
  "business-registration",
  "vat",
  "form-of-bid",
  "price-schedule",
  "power-of-attorney",
  "copies",
  "two-envelopes",
  "envelope-marked",
  "electronic-account",
  "deliver",
] as const satisfies readonly Derived["kind"][];

/** How many copies the notice asks for, in its words. */
const COPIES = /in duplicate|original and (?:duplicate|(?:one|a) copy)|two copies/i;

/** A row in words, and the facts that belong to it. */
export interface RowText {
  title: string;
  facts: string[];
  /** The row shows the printed words itself. */
  isPrinted: boolean;
}

/** A share of an amount in whole rupees, rounded up: what a bank guarantees must not be too little. */
function shareOf(value: number, percentage: number): number {
  return Math.ceil(Math.round(value * percentage) / 100);
}

/**
 * The amount or the percentage of a row; empty if it has none. With the value of the bid, a percentage for
 * the bid security is also told in rupees.
 */
export function sumOf(
  { kind, amount, currency, percentage }: Derived,
  value: number | null,
  t: Translate,
): string {
  if (amount != null) return formatAmount(amount, currency);
  if (percentage == null) return "";
  const share = t("bids.checklist.percentage", { percentage });
  if (kind !== "bid-security" || value === null) return share;
  return `${share} = ${formatAmount(shareOf(value, percentage), "LKR")}`;
}

/** How a bid is delivered, if the notice says so. */
export function waysOf(row: Derived | null | undefined, t: Translate): string | null {
  const methods = row?.methods ?? [];
  if (methods.length === 0) return null;
  const wayOf = (method: (typeof methods)[number]) =>
    method === "post" && row?.isByRegisteredPost
      ? t("tenders.head.registeredPost")
      : t(`bids.checklist.method.${method}`);
  return methods.map(wayOf).join(", ");
}

/** A condition without what stands before it in the notice: the headings and the title of the tender. */
function withoutHeading(text: string, tenderTitle: string): string {
  const at = text.toLowerCase().indexOf(tenderTitle.toLowerCase());
  const rest = at < 0 ? "" : text.slice(at + tenderTitle.length).replace(/^[\s.,:;-]+/, "");
  return rest === "" ? text : rest;
}

/** The grades that the notice asks for. A company may have the same grade for another field of work. */
function gradesOf({ text }: Derived, notice: RowContext["notice"], t: Translate): string | null | undefined {
  const asked = notice?.cida ?? [];
  return asked.length > 0 ? asked.map((one) => gradeText(one, t)).join(", ") : text;
}

/** What is known of the place of delivery if the notice names none, or only the office that signs. */
export function placeLess(
  { place, signed }: Derived,
  publishedBy: RowContext["bid"]["tender"]["publishedBy"],
  t: Translate,
): string | null {
  if (signed) return t(place ? "bids.checklist.addressUnder" : "bids.checklist.signed", { address: signed });
  return place ? null : t(`bids.checklist.noPlace.${publishedBy}`);
}

function derivedText(row: Derived, { bid, notice }: RowContext, t: Translate): RowText {
  const { kind, text, place, signed, day, at, validity, basis, printed } = row;
  const { publishedBy } = bid.tender;
  const printedText = (words: string) => t(`bids.checklist.printed.${publishedBy}`, { text: words });
  const known = (value: string | null | undefined, format: (value: string) => string) =>
    value ? format(value) : null;
  const title = (() => {
    switch (kind) {
      case "criterion":
        return t("bids.checklist.judged", { text: withoutHeading(text ?? "", bid.tender.title) });
      case "document":
        return withoutHeading(text ?? "", bid.tender.title);
      case "cida":
        return [t("bids.checklist.kind.cida"), gradesOf(row, notice, t)].filter(Boolean).join(": ");
      case "copies":
        return [t("bids.checklist.kind.copies"), COPIES.exec(printed ?? "")?.[0]].filter(Boolean).join(": ");
      case "turnover":
      case "experience":
      case "lot-security":
        return [t(`bids.checklist.kind.${kind}`), text, sumOf(row, bid.value, t)].filter(Boolean).join(": ");
      case "envelope-marked":
        if (printed) return t("bids.checklist.markedAsPrinted");
        return t(text ? "bids.checklist.markedWith" : "bids.checklist.kind.envelope-marked", {
          reference: text ?? "",
        });
      case "deliver":
        return at
          ? t("bids.checklist.deliverBy", { moment: formatMoment(at) })
          : t("bids.checklist.kind.deliver");
      default:
        return [t(`bids.checklist.kind.${kind}`), sumOf(row, bid.value, t)].filter(Boolean).join(": ");
    }
  })();
  const facts = [
    known(day, (last) => t("bids.checklist.until", { day: at ? formatMoment(at) : formatDay(last) })),
    kind === "pre-bid" ? known(at, formatMoment) : null,
    kind === "envelope-marked" ? known(printed, printedText) : null,
    kind === "envelope-marked"
      ? known(signed, (address) => t("bids.checklist.addressUnder", { address }))
      : null,
    kind === "envelope-marked"
      ? known(signed ? null : place, (name) => t("bids.checklist.addressedTo", { name }))
      : known(place, (words) =>
          // The place of delivery is a sentence of the notice, or what the publisher states.
          kind === "deliver" ? printedText(words) : t("bids.checklist.at", { place: words }),
        ),
    known(validity, (words) => t("bids.checklist.validity", { words })),
    kind === "bid-security" && basis === "notice" && !validity
      ? t(`bids.checklist.noValidity.${publishedBy}`)
      : null,
    waysOf(row, t),
    // With a box or a counter, the bidder can also bring it.
    kind === "deliver" && row.methods?.includes("post") && !row.methods.includes("tender-box")
      ? t("bids.checklist.posted")
      : null,
    kind === "deliver" ? placeLess(row, publishedBy, t) : null,
  ];
  return {
    title,
    facts: facts.filter((fact) => fact !== null),
    isPrinted: kind === "document" || kind === "criterion" || (kind === "envelope-marked" && printed != null),
  };
}

/** A row of the checklist of a tender in words. */
export function rowText({ derived, own }: BidChecklistRow, context: RowContext, t: Translate): RowText {
  return derived
    ? derivedText(derived, context, t)
    : { title: own?.title ?? "", facts: [], isPrinted: false };
}
