// A tender in a short list: the title as a link, the organisation, the place and the closing time.

import type { ReactNode } from "react";
import { Link } from "react-router";
import type { HighlightedTender, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { daysUntil, formatClosing, formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { CountdownBadge } from "./CountdownBadge.tsx";
import { nearPlace } from "./nearPlace.ts";
import { PrintedTitle } from "./PrintedTitle.tsx";

interface TenderRowProps {
  tender: Omit<HighlightedTender, "publishedBy" | "location" | "saleUntil"> &
    Partial<HighlightedTender & Pick<Tender, "status">>;
  /** Whether the closing time, if any, is certain. */
  isClosingCertain?: boolean;
  /** The place in words, with what is not certain of it. The first page has certain places only. */
  place?: string;
  /** Whether all of the list is of one organisation, which the page names. */
  isOfOne?: boolean;
  /** A note below the closing time. */
  closingNote?: ReactNode;
  /** What else there is to say. */
  children?: ReactNode;
}

export function TenderRow({
  tender,
  isClosingCertain = true,
  place,
  isOfOne = false,
  closingNote,
  children,
}: TenderRowProps) {
  const { t } = useTranslation();
  const { closing } = tender;
  const language = tender.language ?? undefined;
  const now = useNow();
  const isOpen = closing != null && Date.parse(closing) >= now;
  const lastSale =
    isOpen && tender.saleUntil && daysUntil(tender.saleUntil, now) < 0 ? tender.saleUntil : null;
  const shownPlace = place ?? nearPlace(tender.location ?? {}, t).join(", ");
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-5 gap-y-1 py-3">
      <div className="min-w-0 basis-72 grow">
        <h3 lang={language} className="leading-snug font-semibold">
          <Link
            to={paths.tender(tender._id)}
            className="line-clamp-2 break-words visited:text-visited hover:text-accent hover:underline"
          >
            <PrintedTitle printed={tender.title} />
          </Link>
        </h3>
        <p className="text-[0.9375rem] break-words text-ink-soft">
          {!isOfOne && (
            <span lang={language}>
              <PrintedTitle printed={tender.organization} />
            </span>
          )}
          {!isOfOne && shownPlace && " · "}
          {shownPlace}
        </p>
        {tender.publishedBy === "organisation" && (
          <p className="text-sm text-ink-soft">{t("shell.tender.byOrganisation")}</p>
        )}
        {lastSale && (
          <p className="text-sm font-medium text-soon">
            {t("shell.tender.saleEnded", { day: formatDay(lastSale) })}
          </p>
        )}
        {children}
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.9375rem] sm:flex-col sm:items-end">
        {closing && <span>{formatClosing(closing, isClosingCertain)}</span>}
        <CountdownBadge closing={closing} status={tender.status} isCertain={isClosingCertain} wraps />
        {closingNote}
      </p>
    </li>
  );
}
