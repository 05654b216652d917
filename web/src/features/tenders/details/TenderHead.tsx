// The head of a tender's page. It answers in this order: what is bought, may I bid, how to submit, when is
// it due.

import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Bidding, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { useNow } from "@/shared/clock.ts";
import { formatClosing, formatDay, formatTimeOfDay } from "@/shared/format/dates.ts";
import { paths, signInPath } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import {
  BIDDING_ID,
  bidAnswerText,
  mayBidQuestion,
  shortBidAnswer,
  statesCondition,
  submittedAnswer,
} from "@/shared/tender/bidAnswer.ts";
import { ClosedDays } from "@/shared/tender/ClosedDays.tsx";
import { CountdownBadge } from "@/shared/tender/CountdownBadge.tsx";
import { endOf } from "@/shared/tender/countdown.ts";
import { CLOSING_PATH, fieldState } from "@/shared/tender/fieldStates.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import type { DetailedTender } from "@/shared/tender/tenderQueries.ts";
import { isSpecific, sectorOf } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { closingChange, isCorrected } from "../history/closingChange.ts";
import { isAuction } from "../summary/auction.ts";
import { takesNoBids } from "../summary/biddingFacts.ts";
import { PublishedBy } from "../summary/PublishedBy.tsx";
import { SaleBadge } from "../summary/SaleBadge.tsx";
import { methodName } from "./methodName.ts";
import { useOwnDocuments } from "./ownDocuments.ts";

/** The id of the part of the page with the text of the notice. */
export const NOTICE_TEXT_ID = "notice-text";

export const titleStyle = "max-w-[60ch] text-2xl leading-snug font-bold tracking-tight break-words";

const linkStyle = "inline-block py-0.5 font-semibold text-accent underline underline-offset-2";

const marketLinkStyle = "py-1.5 font-medium text-accent underline underline-offset-2 max-sm:py-2.5";

function Answer({ question, children }: { question: string; children: ReactNode }) {
  return (
    <div className="min-w-0 py-3 sm:px-4 sm:first:pl-0 sm:last:pr-0">
      <dt className="text-[0.8125rem] text-ink-soft">{question}</dt>
      <dd className="mt-0.5 text-[0.9375rem] font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}

/** The short answer, or what is needed for one. */
function MayBid({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const hasEnded = takesNoBids(tender, useNow());
  const { bidding } = useOwnDocuments(tender);
  const isRegistration = tender.kind === "registration";
  if (tender.bid?.stage === "submitted") return submittedAnswer(tender, hasEnded ? null : bidding, t);
  if (hasEnded) return t(isRegistration ? "tenders.registration.noMoreBids" : "tenders.head.noMoreBids");
  if (isAuction(tender)) return t("tenders.head.auction");
  if (!bidding) return t(tender.kind === "sale" ? "tenders.head.sale" : "tenders.head.nobodyBids");
  const answer = bidAnswerText(tender, bidding, t);
  if (answer !== null) {
    return (
      <a href={`#${BIDDING_ID}`} className={linkStyle}>
        {answer}
      </a>
    );
  }
  if (!statesCondition(bidding)) return shortBidAnswer(tender, "not-stated", null, t);
  return status === "guest" ? (
    <Link to={signInPath(paths.tender(tender._id))} className={`${linkStyle} print:hidden`}>
      {t("tenders.head.signIn")}
    </Link>
  ) : (
    <Link to={paths.accountCompany} className={`${linkStyle} print:hidden`}>
      {t("tenders.head.enterProfile")}
    </Link>
  );
}

/**
 * How the bid for a tender is delivered, and until which hour while it takes bids; `null` if the notice does
 * not say how.
 */
function useDelivery(tender: DetailedTender): string | null {
  const { t } = useTranslation();
  const hasEnded = takesNoBids(tender, useNow());
  const { bidding, dates } = tender;
  const wayOf = (method: Bidding["methods"][number]) =>
    method === "post" && bidding?.isByRegisteredPost
      ? t("tenders.head.registeredPost")
      : t(`tenders.head.delivery.${method}`);
  const ways = bidding?.methods.map(wayOf).join(", ");
  if (!ways) return null;
  const hour = hasEnded ? null : formatTimeOfDay(dates?.closing ?? "");
  return hour ? t("tenders.head.waysBefore", { ways, hour }) : ways;
}

function submissionQuestion({ kind }: Tender, hasEnded: boolean, t: Translate): string {
  if (!hasEnded) return t("tenders.head.submit");
  return t(kind === "registration" ? "tenders.registration.howSubmitted" : "tenders.head.submitted");
}

/** What is known about submitting a bid. The place is quoted: a sentence of the notice, or the publisher's words. */
function HowToSubmit({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const delivery = useDelivery(tender);
  const known = [
    delivery,
    tender.method && t("tenders.head.method", { method: methodName(tender.method, t) }),
  ].filter(Boolean);
  // The sentence of the first notice may name the closing that a later notice has changed.
  const isOutdated = isCorrected(tender) && closingChange(tender) !== null;
  const place = isOutdated ? null : tender.bidding?.delivery;
  const signed = tender.bidding?.signed;
  if (known.length === 0 && !place && !tender.fullTextMarkdown) {
    return t(`tenders.head.notStated.${tender.publishedBy}`);
  }
  return (
    <>
      {known.map((fact) => (
        <span key={fact} className="block first-letter:uppercase">
          {fact}
        </span>
      ))}
      {place && (
        <q
          lang={tender.language ?? undefined}
          className="my-0.5 line-clamp-4 text-sm font-normal wrap-anywhere text-ink-soft"
        >
          {place}
        </q>
      )}
      {tender.bidding?.marking && (
        <span className="block text-sm font-normal text-ink-soft">
          {t("tenders.head.marking")}{" "}
          <span lang={tender.language ?? undefined} className="wrap-anywhere">
            {tender.bidding.marking}
          </span>
        </span>
      )}
      {signed && (
        <span className="block text-sm font-normal text-ink-soft">
          {t("tenders.head.signed")}{" "}
          <q lang={tender.language ?? undefined} className="wrap-anywhere">
            {signed}
          </q>
        </span>
      )}
      {!delivery && !place && !tender.fullTextMarkdown && (
        <span className="block text-sm font-normal text-ink-soft">{t("tenders.head.howNotStated")}</span>
      )}
      {tender.fullTextMarkdown && (
        <a href={`#${NOTICE_TEXT_ID}`} className={linkStyle}>
          {t("tenders.head.seeNotice")}
        </a>
      )}
    </>
  );
}

function Due({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const closing = tender.dates?.closing;
  const isCertain = fieldState(tender, CLOSING_PATH) === "certain";
  if (!closing) {
    return t(
      fieldState(tender, CLOSING_PATH) === "not-read" ? "tenders.doubt.seeNotice" : "tenders.card.noClosing",
    );
  }
  const change = closingChange(tender);
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {formatClosing(closing, isCertain)}
        <CountdownBadge
          closing={closing}
          status={tender.status}
          isCertain={isCertain}
          isPressing={tender.bid?.stage !== "submitted"}
          wraps
        />
      </span>
      {change && (
        <span className="mt-0.5 block text-sm font-normal">
          {t(`tenders.head.closing.${change.direction}`, {
            from: formatDay(change.from),
            source: change.notice
              ? `${change.notice.publication}, ${formatDay(change.notice.day)}`
              : t("tenders.head.closing.byPublisher", { day: formatDay(change.at) }),
          })}
        </span>
      )}
    </>
  );
}

/** That there is less time for bids than the guidelines require. */
function ShortNoticeNote({ tender: { shortNotice } }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  if (!shortNotice) return null;
  const { days, requiredDays: required, isMethodStated } = shortNotice;
  const key = isMethodStated ? "tenders.head.shortNotice" : "tenders.head.shortNoticeSupposed";
  return <span className="mt-1 block text-sm font-normal text-ink-soft">{t(key, { days, required })}</span>;
}

/** The body, with a link to its page if everyone may see the tender and the name is certain. */
function BodyLink({ tender, name }: { tender: Tender; name: string }) {
  const isListed =
    tender.status !== "draft" &&
    tender.visibility === "public" &&
    fieldState(tender, "organization.name") === "certain";
  const language = tender.language ?? undefined;
  if (!isListed)
    return (
      <span lang={language}>
        <PrintedTitle printed={name} />
      </span>
    );
  return (
    <Link lang={language} to={paths.buyerNamed(name)} className="text-accent underline underline-offset-2">
      <PrintedTitle printed={name} />
    </Link>
  );
}

/** That the tender has ended or is a sale, and that its documents are no longer sold. */
function Remarks({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const end = endOf(tender.status);
  const { endedSale: lastDay } = useOwnDocuments(tender);
  return (
    <>
      {tender.kind === "sale" && (
        <p className="mt-2">
          <SaleBadge tender={tender} />
        </p>
      )}
      {end && <p className="mt-2 font-semibold">{t(`tenders.head.ended.${end}`)}</p>}
      {lastDay && (
        <p className="mt-2 font-semibold">{t("shell.tender.saleEnded", { day: formatDay(lastDay) })}</p>
      )}
    </>
  );
}

/** Links to the figures of the district and of the sector. */
export function MarketLinks({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  const district = tender.location?.district;
  const sector = sectorOf(tender);
  if (!district && !sector) return null;
  return (
    <p className="mt-4 flex flex-wrap gap-x-4 text-[0.9375rem] print:hidden">
      {district && (
        <Link to={paths.marketDistrict(district)} className={marketLinkStyle}>
          {t("market.inDistrict", { name: vocabularyName("district", district, t) })}
        </Link>
      )}
      {sector && (
        <Link to={paths.marketSector(sector)} className={marketLinkStyle}>
          {t("market.inSector", { name: t(`tenders.sector.${sector}`) })}
        </Link>
      )}
    </p>
  );
}

/** What is bought, for whom and where. `menu` stands beside the title. */
export function TenderHead({
  tender,
  place,
  menu,
}: {
  tender: DetailedTender;
  place: string | null;
  menu: ReactNode;
}) {
  const { t } = useTranslation();
  const hasEnded = takesNoBids(tender, useNow());
  const language = tender.language ?? undefined;
  const { category, organization } = tender;
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <h1 lang={language} className={`min-w-0 ${titleStyle}`}>
          <PrintedTitle printed={tender.title} />
        </h1>
        {menu}
      </div>
      <p className="mt-1 text-ink-soft">
        {isSpecific(category) && `${vocabularyName("category", category, t)} · `}
        {organization?.name && <BodyLink tender={tender} name={organization.name} />}
        {place && ` · ${place}`}
      </p>
      {tender.status !== "draft" && <PublishedBy tender={tender} />}
      <Remarks tender={tender} />
      <dl className="mt-3 divide-line border-t border-line max-sm:divide-y sm:grid sm:grid-cols-3 sm:divide-x">
        <Answer question={mayBidQuestion(tender, t)}>
          <MayBid tender={tender} />
        </Answer>
        <Answer question={submissionQuestion(tender, hasEnded, t)}>
          <HowToSubmit tender={tender} />
        </Answer>
        <Answer question={t(isAuction(tender) ? "tenders.head.auctionStarts" : "tenders.details.closes")}>
          <Due tender={tender} />
          <ClosedDays closing={tender.dates?.closing} status={tender.status} />
          <ShortNoticeNote tender={tender} />
        </Answer>
      </dl>
    </>
  );
}
