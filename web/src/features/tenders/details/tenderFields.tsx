// The fields of a tender's details, as groups of labels and values. A field without a value is left
// out.

import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Bidding, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { webAddress } from "@/shared/clip/webAddress.ts";
import { formatClosing, formatDay, formatMoment } from "@/shared/format/dates.ts";
import { formatAmount, formatMillions } from "@/shared/format/money.ts";
import { paths, signInPath } from "@/shared/paths.ts";
import { ClosedDaysNear } from "@/shared/tender/ClosedDays.tsx";
import { CLOSING_PATH, fieldState } from "@/shared/tender/fieldStates.ts";
import { gradeText } from "@/shared/tender/gradeText.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { placeName } from "@/shared/tender/place.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { isAuction } from "../summary/auction.ts";
import { methodName } from "./methodName.ts";
import { StatusBadge } from "./StatusBadge.tsx";

export interface TenderField {
  label: string;
  value: ReactNode;
  /** What the label means, if few readers know. */
  hint?: string;
  /** The path of the field in the tender's JSON, under which its state and evidence are found. */
  path?: string;
  /** The paths whose doubt marks the field, each with all paths below it. Absent: `path` alone. */
  doubtPaths?: readonly string[];
}

/** The paths whose doubt marks a field. */
export function doubtPathsOf({ path, doubtPaths }: TenderField): readonly string[] {
  return doubtPaths ?? (path ? [path] : []);
}

type Bond = NonNullable<NonNullable<Tender["financials"]>["bidBond"]>;

/** Returns the field in a list, or an empty list if the field has no value. */
function field(
  label: string,
  value: ReactNode,
  path?: string,
  doubtPaths?: readonly string[],
): TenderField[] {
  if (value == null || value === "" || value === false) return [];
  return [{ label, value, ...(path && { path }), ...(doubtPaths && { doubtPaths }) }];
}

export function bondText(bond: Bond | null | undefined, t: Translate): string | null {
  if (!bond) return null;
  if (bond.amount != null) return formatAmount(bond.amount, bond.currency);
  if (bond.percentage != null) return t("tenders.details.percentage", { percentage: bond.percentage });
  return bond.required ? t("tenders.details.required") : null;
}

/** A tender, with what bidders must know if that is loaded. */
type WithBidding = Tender & { bidding?: Bidding | null };

function saleText({ documentFee: fee, bidding }: WithBidding, t: Translate): string | null {
  const from = fee?.saleFrom && formatDay(fee.saleFrom);
  const until =
    fee?.saleUntil && (bidding?.saleEnds ? formatMoment(bidding.saleEnds) : formatDay(fee.saleUntil));
  const when =
    from && until
      ? t("tenders.details.saleBetween", { from, until })
      : until
        ? t("tenders.details.saleUntil", { until })
        : from
          ? t("tenders.details.saleFrom", { from })
          : null;
  return [when, fee?.place].filter(Boolean).join(", ") || null;
}

/** The days of the sale, and the closed days near its last one. */
function saleValue(tender: WithBidding, t: Translate): ReactNode {
  const { documentFee, status } = tender;
  const text = saleText(tender, t);
  if (!text || !documentFee?.saleUntil) return text;
  return (
    <>
      {text}
      <ClosedDaysNear day={documentFee.saleUntil} status={status} />
    </>
  );
}

function Contact({ person }: { person: NonNullable<NonNullable<Tender["organization"]>["contactPerson"]> }) {
  return (
    <>
      {person.name && <span className="block">{person.name}</span>}
      {person.phone && <span className="block">{person.phone}</span>}
      {person.email && (
        <a href={`mailto:${encodeURIComponent(person.email)}`} className="block text-accent underline">
          {person.email}
        </a>
      )}
    </>
  );
}

/** Sends a guest, who sees no contact persons, to the text of the notice, else to the sign-in. It may name nobody. */
function ContactForGuest({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  if (tender.fullTextMarkdown)
    return <span className="font-normal">{t("tenders.details.contactInText")}</span>;
  return (
    <Link
      to={signInPath(paths.tender(tender._id))}
      className="inline-block py-0.5 text-accent underline underline-offset-2 max-sm:py-2.5"
    >
      {t("tenders.details.contactForUsers")}
    </Link>
  );
}

/** When bids are opened. Many notices print no hour but say that it follows the closing. */
function openingText({ dates }: Tender, t: Translate): string | null {
  if (!dates?.opening) return null;
  const moment = formatMoment(dates.opening);
  return dates.opening === dates.closing ? t("tenders.details.rightAfterClosing", { moment }) : moment;
}

export function dateFields(tender: Tender, t: Translate): TenderField[] {
  const { dates, preBid, submission } = tender;
  const state = fieldState(tender, CLOSING_PATH);
  const closes = dates?.closing
    ? formatClosing(dates.closing, state === "certain")
    : state === "not-read" && t("tenders.doubt.closes");
  const meeting = [preBid?.at && formatMoment(preBid.at), preBid?.place].filter(Boolean).join(", ");
  const ways = submission?.methods?.map((method) => t(`tenders.head.delivery.${method}`)).join(", ");
  return [
    ...field(
      t(isAuction(tender) ? "tenders.head.auctionStarts" : "tenders.details.closes"),
      closes,
      CLOSING_PATH,
    ),
    ...field(t("tenders.details.submission"), ways, "submission.methods"),
    ...field(t("tenders.details.submissionPlace"), submission?.place, "submission.place"),
    ...field(t("tenders.details.opens"), openingText(tender, t), "dates.opening"),
    ...field(t("tenders.details.preBid"), meeting, "preBid.at", ["preBid"]),
    ...field(
      t("tenders.details.published"),
      dates?.published && formatDay(dates.published),
      "dates.published",
    ),
  ];
}

/** The conditions for bidding. */
export function conditionFields(tender: WithBidding, t: Translate): TenderField[] {
  const { kind, financials, documentFee, cida, eligibility } = tender;
  const value = financials?.estimatedValue;
  const fee = documentFee?.amount;
  const { experience, turnover } = eligibility ?? {};
  const grades = cida?.map((asked) => gradeText(asked, t)).join(", ");
  const years = experience?.years != null ? t("tenders.details.years", { count: experience.years }) : null;
  return [
    ...field(
      t("tenders.details.estimatedValue"),
      value && formatMillions(value.amount, value.currency),
      "financials.estimatedValue",
    ),
    ...field(t("tenders.details.bidBond"), bondText(financials?.bidBond, t), "financials.bidBond.amount", [
      "financials.bidBond",
    ]),
    ...field(
      t("tenders.details.performanceBond"),
      bondText(financials?.performanceBond, t),
      "financials.performanceBond.amount",
      ["financials.performanceBond"],
    ),
    ...field(
      t(kind === "registration" ? "tenders.registration.fee" : "tenders.details.fee"),
      fee === 0 ? t("tenders.details.free") : fee && formatAmount(fee, documentFee?.currency),
      "documentFee.amount",
    ),
    ...field(t("tenders.details.sale"), saleValue(tender, t), "documentFee.saleUntil", [
      "documentFee.saleFrom",
      "documentFee.saleUntil",
      "documentFee.place",
    ]),
    ...field(t("tenders.details.cida"), grades, "cida").map((grade) => ({
      ...grade,
      hint: t("tenders.details.cidaHint"),
    })),
    ...field(
      t("tenders.details.experience"),
      [years, experience?.description].filter(Boolean).join(", "),
      "eligibility.experience",
    ),
    ...field(
      t("tenders.details.turnover"),
      turnover && formatAmount(turnover.minimum, turnover.currency),
      "eligibility.turnover",
    ),
  ];
}

/** The organisation, its contact person, and the place. The server sends no contact persons to guests. */
export function organizationFields(tender: Tender, t: Translate, isGuest = false): TenderField[] {
  const { organization, location } = tender;
  const person = organization?.contactPerson;
  const reachable = person && (person.name || person.phone || person.email);
  return [
    ...field(
      t("tenders.details.organization"),
      organization?.name && <PrintedTitle printed={organization.name} />,
      "organization.name",
    ),
    ...field(
      t("tenders.details.organizationType"),
      // Few notices print it: what was guessed from the name says nothing of who owns the company.
      (tender.publishedBy === "organisation" || tender.evidence?.["organization.type"]) &&
        organization?.type &&
        t(`tenders.organizationType.${organization.type}`),
      "organization.type",
    ),
    ...field(t("tenders.details.place"), placeName(location, t, true), "location.district", ["location"]),
    ...field(
      t("tenders.details.contact"),
      reachable ? <Contact person={person} /> : isGuest && <ContactForGuest tender={tender} />,
      "organization.contactPerson",
    ),
  ];
}

/** The reference, the category, and what else tells the notice from others. */
export function noticeFields(tender: Tender, t: Translate): TenderField[] {
  const { kind, method, category, subcategory, sourcePage } = tender;
  // If there is a clip, its caption already names the page.
  const hasClip = tender.sources?.some((source) => webAddress(source.clipUrl)) ?? false;
  return [
    ...field(t("tenders.details.referenceNo"), tender.referenceNo, "referenceNo"),
    ...field(
      t("tenders.details.category"),
      [category && vocabularyName("category", category, t), subcategory].filter(Boolean).join(", "),
      "category",
      ["category", "subcategory"],
    ),
    ...field(t("tenders.details.kind"), kind && kind !== "purchase" && t(`tenders.kind.${kind}`)),
    ...field(t("tenders.details.method"), method && methodName(method, t), "method"),
    ...field(t("tenders.details.sourcePage"), hasClip ? null : sourcePage),
  ];
}

/** What is the same for most tenders, or stands in the head. */
export function recordFields(tender: Tender, t: Translate): TenderField[] {
  const { kind, language, priority, visibility } = tender;
  return [
    ...field(t("tenders.details.status"), <StatusBadge status={tender.status} />),
    ...field(t("tenders.details.kind"), kind === "purchase" && t(`tenders.kind.${kind}`)),
    ...field(t("tenders.details.language"), language && t(`tenders.language.${language}`)),
    ...field(t("tenders.details.priority"), priority && t(`tenders.priority.${priority}`)),
    ...field(t("tenders.history.visibility"), visibility && t(`publish.visibility.${visibility}`)),
  ];
}
