// One tender in the listing. A collapsed card shows the main facts, for example the organisation,
// the conditions, the closing time and the uncertain fields. View Details shows the rest.

import { ChevronDown, Eye } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { ListedBidAnswer, Passage, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { ClosedDays } from "@/shared/tender/ClosedDays.tsx";
import { CountdownBadge } from "@/shared/tender/CountdownBadge.tsx";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import {
  CARD_FIELDS,
  CLOSING_PATH,
  fieldState,
  isUncertain,
  uncertainNames,
} from "@/shared/tender/fieldStates.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { placeWithDoubt } from "@/shared/tender/place.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { TenderDetails } from "../details/TenderDetails.tsx";
import { BidBadge, useBidStage } from "../summary/BidBadge.tsx";
import { ClosingTime } from "../summary/ClosingTime.tsx";
import { endedSale } from "../summary/documentSale.ts";
import { KindBadge } from "../summary/KindBadge.tsx";
import { lotBondText } from "../summary/lotBond.ts";
import { PublishedBy } from "../summary/PublishedBy.tsx";
import { excerptOf } from "./excerpt.ts";
import { HighlightedText } from "./HighlightedText.tsx";
import { TitleLink } from "./TitleLink.tsx";

/** The register of contractors. */
const CIDA = "CIDA";

/**
 * The main conditions for bidding: at most two CIDA grades, the bid bond or that of the lots, the document
 * fee, and that the documents are no longer sold.
 */
function useConditions(tender: Tender): string[] {
  const { t } = useTranslation();
  const lastDay = endedSale(tender, useNow());
  const bond = tender.financials?.bidBond;
  const fee = tender.documentFee?.amount;
  const conditions: (string | null | undefined)[] = [
    ...(tender.cida ?? []).slice(0, 2).map(({ grade }) => `${CIDA} ${grade}`),
    bond?.amount != null
      ? t("tenders.card.bidBond", { value: formatAmount(bond.amount, bond.currency) })
      : null,
    bond?.amount == null && bond?.percentage != null
      ? t("tenders.card.bidBond", { value: `${bond.percentage} %` })
      : null,
    lotBondText(tender, t),
    fee === 0 ? t("tenders.card.free") : null,
    fee ? t("tenders.card.fee", { value: formatAmount(fee, tender.documentFee?.currency) }) : null,
    lastDay ? t("shell.tender.saleEnded", { day: formatDay(lastDay) }) : null,
  ];
  return conditions.filter((condition) => condition != null);
}

/**
 * What a title of a single word leaves open: the beginning of the description. A heading that breaks over two
 * lines can leave such a title. The shown title itself stays as it is in mails.
 */
function beginningOf({ title, description }: Tender): string | null {
  return /\s/.test(title.trim()) ? null : (description ?? null);
}

interface TenderCardProps {
  tender: Tender;
  passage?: Passage | null | undefined;
  /** Whether the user's company may bid. */
  bidAnswer?: ListedBidAnswer | null | undefined;
  /** A note below the closing time, instead of the closed days near it. */
  closingNote?: ReactNode;
}

export function TenderCard({ tender, passage, bidAnswer, closingNote }: TenderCardProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const id = useId();
  const conditions = useConditions(tender);
  const stage = useBidStage(tender._id);
  const uncertain = uncertainNames(tender, t, CARD_FIELDS);
  const place = placeWithDoubt(tender, t);
  const closing = tender.dates?.closing;
  const closingState = fieldState(tender, CLOSING_PATH);
  const language = tender.language ?? undefined;
  const beginning = beginningOf(tender);
  const excerpt = passage && excerptOf(passage, [tender.title, tender.organization?.name ?? ""]);
  return (
    <article
      aria-labelledby={`${id}-title`}
      className={`rounded-xl border bg-sheet transition-shadow ${open ? "border-accent/50 shadow-sheet" : "lazy-layout border-line hover:border-edge"}`}
    >
      <div className="grid gap-x-6 gap-y-1 px-3 pt-2 pb-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:grid-rows-[auto_auto_1fr] sm:px-4 sm:pb-1">
        <div className="min-w-0 sm:row-span-2">
          <h2
            id={`${id}-title`}
            lang={language}
            className={`text-pretty text-[1.0625rem] leading-snug font-semibold tracking-[-0.005em] ${open ? "" : "line-clamp-2"}`}
          >
            <TitleLink id={tender._id}>
              <PrintedTitle printed={tender.title}>
                {(shown) => <HighlightedText text={shown} ranges={passage?.title ?? []} />}
              </PrintedTitle>
            </TitleLink>
          </h2>
          <p className="mt-0.5 text-[0.9375rem] text-ink-soft max-sm:line-clamp-2 max-sm:leading-snug sm:truncate">
            <span lang={language}>
              <PrintedTitle printed={tender.organization?.name ?? ""} />
            </span>
            {place && ` · ${place}`}
          </p>
          {beginning && !excerpt && !open && (
            <p lang={language} className="mt-0.5 line-clamp-1 text-sm text-ink-soft">
              {beginning}
            </p>
          )}
          {excerpt && !open && (
            <p className="mt-1.5 line-clamp-2 border-l-2 border-line pl-2.5 text-sm text-ink-soft">
              {`${t("tenders.card.inNotice")} `}
              <span lang={language}>
                <HighlightedText text={excerpt.text} ranges={excerpt.marks} />
              </span>
            </p>
          )}
        </div>
        <div className="flex min-w-0 gap-x-3 gap-y-0.5 max-sm:flex-wrap max-sm:items-center sm:col-start-2 sm:row-start-1 sm:flex-col sm:items-end sm:gap-1">
          <p
            className={`text-[0.9375rem] font-medium sm:text-right ${closingState === "certain" ? "sm:whitespace-nowrap" : "sm:max-w-60"}`}
          >
            <ClosingTime at={closing} state={closingState} />
          </p>
          <CountdownBadge
            closing={closing}
            status={tender.status}
            isCertain={closingState === "certain"}
            isPressing={stage !== "submitted"}
            wraps
          />
          {closingNote ?? <ClosedDays closing={closing} status={tender.status} />}
        </div>
        {/* On a phone, the button stands at the end of the card, beside the conditions where there is room. */}
        <div className="flex min-w-0 flex-wrap items-end justify-between gap-x-3 sm:contents">
          <ul className="flex min-w-0 flex-wrap items-center content-start gap-x-3 gap-y-0.5 self-center text-sm text-ink-soft max-sm:grow max-sm:basis-40 sm:row-start-3 sm:gap-y-1 sm:self-start">
            <li className="empty:hidden">
              <KindBadge tender={tender} />
            </li>
            <BidBadge tender={tender} answer={bidAnswer} stage={stage} />
            {conditions.map((condition) => (
              <li
                key={condition}
                title={condition.startsWith(CIDA) ? t("tenders.details.cidaHint") : undefined}
                className="font-medium text-ink"
              >
                {condition}
              </li>
            ))}
            {tender.category && (
              <li>
                {vocabularyName("category", tender.category, t)}
                {isUncertain(tender, "category") && ` (${t("tenders.doubt.uncertainClosing")})`}
              </li>
            )}
            {tender.referenceNo && <li className="max-w-64 truncate max-sm:hidden">{tender.referenceNo}</li>}
            {uncertain.length > 0 && (
              <li className="flex items-start gap-1.5 font-medium text-soon">
                <Eye size={15} aria-hidden className="mt-0.5 shrink-0" />
                {t("tenders.doubt.notCertain", { fields: uncertain.join(", ") })}
              </li>
            )}
            <PublishedBy tender={tender} as="li" />
          </ul>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={`${id}-details`}
            aria-label={t(open ? "tenders.card.hideOf" : "tenders.card.viewOf", {
              title: displayTitle(tender.title),
            })}
            onClick={() => setOpen(!open)}
            className="-mr-2 ml-auto inline-flex min-h-8 shrink-0 items-center gap-1 rounded-lg px-2 text-[0.9375rem] font-semibold text-accent hover:bg-accent-wash max-sm:min-h-11 sm:col-start-2 sm:row-span-2 sm:row-start-2 sm:-mb-1 sm:self-start sm:justify-self-end"
          >
            {t(open ? "tenders.card.hide" : "tenders.card.view")}
            <ChevronDown
              size={18}
              aria-hidden
              className={`transition-transform duration-150 ${open ? "rotate-180" : ""}`}
            />
          </button>
        </div>
      </div>
      <div id={`${id}-details`} hidden={!open}>
        {open && <TenderDetails id={tender._id} heading="h3" />}
      </div>
    </article>
  );
}
