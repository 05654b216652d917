// "May I bid?": what the notice and the law ask for, whether the user's company has it, and what bidding
// costs. Each line stands on printed words or on the law.

import { useQuery } from "@tanstack/react-query";
import { CalendarClock, Check, CircleHelp, type LucideIcon, Minus, X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import type { Bidding as BiddingFacts, Company, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { fieldPosition } from "@/shared/clip/fieldPosition.ts";
import { useNow } from "@/shared/clock.ts";
import { companyProfile } from "@/shared/company.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import {
  BIDDING_ID,
  fullBidAnswer,
  mayBidQuestion,
  statesCondition,
  submittedAnswer,
} from "@/shared/tender/bidAnswer.ts";
import { gradeText } from "@/shared/tender/gradeText.ts";
import type { DetailedTender } from "@/shared/tender/tenderQueries.ts";
import type { Highlights } from "../clip/useHighlights.ts";
import { type EndingRegistration, endingRegistrations, takesNoBids } from "../summary/biddingFacts.ts";
import { lotBondText } from "../summary/lotBond.ts";
import { BiddingPart } from "./BiddingPart.tsx";
import { CashToBid } from "./CashToBid.tsx";
import { ShowOnClip } from "./FieldList.tsx";
import { useOwnDocuments } from "./ownDocuments.ts";
import { PrintedTable } from "./parts.tsx";
import { bondText } from "./tenderFields.tsx";

type Requirement = BiddingFacts["requirements"][number];
type Answer = NonNullable<BiddingFacts["answer"]>;

/** The icon and the colours of the answer. */
interface BannerLook {
  icon: LucideIcon;
  style: string;
}

const answerStyles: Record<Answer, BannerLook> = {
  "can-bid": { icon: Check, style: "bg-good-wash text-good" },
  missing: { icon: X, style: "bg-urgent-wash text-urgent" },
  "not-certain": { icon: CircleHelp, style: "bg-soon-wash text-soon" },
  "not-stated": { icon: Minus, style: "bg-well text-ink-soft" },
};

/** The look of a submitted bid. What the company lacks is nothing to be ticked. */
const submittedStyles: Record<"complete" | "lacking", BannerLook> = {
  complete: { icon: Check, style: "bg-accent-wash text-accent" },
  lacking: { icon: CircleHelp, style: "bg-soon-wash text-soon" },
};

const verdictStyles = {
  met: { icon: Check, style: "text-good" },
  missing: { icon: X, style: "text-urgent" },
  "not-certain": { icon: CircleHelp, style: "text-soon" },
};

/** The path of the evidence for a field: its own, or that of the list it belongs to. */
function evidencePath(tender: Tender, path: string): string | null {
  const parts = path.split(".");
  for (let length = parts.length; length > 0; length--) {
    const candidate = parts.slice(0, length).join(".");
    if (tender.evidence?.[candidate]) return candidate;
  }
  // The evidence of a bond belongs to its amount or percentage.
  return Object.keys(tender.evidence ?? {}).find((known) => known.startsWith(`${path}.`)) ?? null;
}

/** The path of the lots. */
const LOTS_PATH = "lots";

type Bond = NonNullable<Tender["financials"]>["bidBond"];

/** The stated amount or percentage of a bond; empty if the notice states none. */
function statedBond(bond: Bond, t: Translate): string {
  return bond?.amount == null && bond?.percentage == null ? "" : (bondText(bond, t) ?? "");
}

/** What is asked for, in words. Sentences of the notice stay as printed. */
function requirementText(tender: Tender, { kind, path }: Requirement, t: Translate): string {
  const { cida, documentFee, eligibility, financials } = tender;
  switch (kind) {
    case "documents":
      return t("tenders.bidding.kinds.documents", { day: formatDay(documentFee?.saleUntil ?? "") });
    case "grade":
      return t("tenders.bidding.kinds.grade", {
        grades: (cida ?? []).map((asked) => gradeText(asked, t)).join(", "),
      });
    case "experience": {
      const { years, description } = eligibility?.experience ?? {};
      const text = years == null ? null : t("tenders.details.years", { count: years });
      return t("tenders.bidding.kinds.experience", { text: [text, description].filter(Boolean).join(", ") });
    }
    case "turnover": {
      const { minimum = 0, currency } = eligibility?.turnover ?? {};
      return t("tenders.bidding.kinds.turnover", { amount: formatAmount(minimum, currency) });
    }
    case "bid-security":
      if (path === LOTS_PATH) return lotBondText(tender, t) ?? t("tenders.bidding.short.bid-security");
      return t("tenders.bidding.kinds.bid-security", { amount: statedBond(financials?.bidBond, t) }).trim();
    case "criterion":
      return eligibility?.criteria?.[Number(path?.split(".").at(-1))] ?? "";
    default:
      return t("tenders.bidding.kinds.contracts-act");
  }
}

/** The row of the profile that was compared, in words. */
function profileText(
  tender: Tender,
  { kind, row, verdict }: Requirement,
  company: Company | undefined,
  t: Translate,
): string | null {
  const validUntil = (day: string | null | undefined) =>
    day ? t("tenders.bidding.validUntil", { day: formatDay(day) }) : null;
  const join = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(", ");
  const inProfile = (text: string | null) => text && t("tenders.bidding.inProfile", { text });
  if (!company) return null;
  if (kind === "bid-security") {
    if (company.bondLimit == null) return null;
    const amount = formatAmount(company.bondLimit, "LKR");
    const share = tender.financials?.bidBond;
    if (share?.amount == null && share?.percentage) {
      const price = formatAmount(Math.floor((company.bondLimit / share.percentage) * 100), "LKR");
      return t("tenders.bidding.limitCovers", { amount, price });
    }
    // The company still has to get the security. Only the limit of its bank is known.
    return verdict === "met" ? t("tenders.bidding.withinLimit", { amount }) : inProfile(amount);
  }
  switch (kind) {
    case "grade": {
      const held = company.cida?.[row ?? -1];
      return held ? inProfile(join(held.grade, held.field, validUntil(held.expires))) : null;
    }
    case "contracts-act": {
      const held = company.contractsAct?.[row ?? -1];
      return held ? inProfile(join(held.sector, held.category, validUntil(held.expires))) : null;
    }
    case "turnover": {
      const held = company.turnover?.[row ?? -1];
      return held ? inProfile(join(String(held.year), formatAmount(held.amount, "LKR"))) : null;
    }
    case "experience":
      return company.experienceYears == null
        ? null
        : inProfile(t("tenders.details.years", { count: company.experienceYears }));
    default:
      return null;
  }
}

/** The text of a reason. A bid security has words of its own. */
function reasonKey(kind: Requirement["kind"], reason: NonNullable<Requirement["reason"]>) {
  if (kind === "bid-security" && reason === "several-lots") return "tenders.bidding.reasons.some-lots";
  if (kind === "bid-security" && reason === "no-number") return "tenders.bidding.reasons.no-amount";
  return `tenders.bidding.reasons.${reason}` as const;
}

function RequirementLine({
  requirement,
  tender,
  company,
  highlights,
}: {
  requirement: Requirement;
  tender: Tender;
  company: Company | undefined;
  highlights: Highlights;
}) {
  const { t } = useTranslation();
  const { kind, verdict, reason, path } = requirement;
  const { icon: Icon, style } = verdict ? verdictStyles[verdict] : { icon: Minus, style: "text-ink-soft" };
  const text = requirementText(tender, requirement, t);
  const evidence = path ? evidencePath(tender, path) : null;
  const printed = evidence ? tender.evidence?.[evidence]?.text : null;
  const held = profileText(tender, requirement, company, t);
  // The text of the limit says it.
  const isWithinLimit = kind === "bid-security" && verdict === "met";
  return (
    <li className="flex items-start gap-2.5 py-2">
      <Icon size={18} aria-hidden className={`mt-0.5 shrink-0 ${style}`} />
      <div className="grid min-w-0 flex-1 gap-x-5 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] print:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0">
          <p
            className="font-medium wrap-anywhere"
            lang={kind === "criterion" ? (tender.language ?? undefined) : undefined}
          >
            {verdict && !isWithinLimit && (
              <span className="sr-only">{t(`tenders.bidding.verdicts.${verdict}`)}: </span>
            )}
            {text}
            {evidence && fieldPosition(tender, evidence) && (
              <ShowOnClip label={text} path={evidence} highlights={highlights} />
            )}
          </p>
          {printed && evidence === LOTS_PATH && (
            <PrintedTable text={printed} language={tender.language ?? undefined} />
          )}
          {printed && kind !== "criterion" && evidence !== LOTS_PATH && (
            <p className="text-sm text-ink-soft" lang={tender.language ?? undefined}>
              {t("tenders.details.asPrinted", { text: printed })}
            </p>
          )}
        </div>
        {(reason || held) && (
          <div className="min-w-0 text-sm wrap-anywhere">
            {reason && <p className={`font-medium ${style}`}>{t(reasonKey(kind, reason))}</p>}
            {held && <p className="text-ink-soft">{held}</p>}
          </div>
        )}
      </div>
    </li>
  );
}

/** The documents of the company that expire before the tender closes. */
function ExpiredDocuments({ rows, company }: { rows: readonly number[]; company: Company | undefined }) {
  const { t } = useTranslation();
  const expired = rows.flatMap((row) => company?.documents?.[row] ?? []);
  if (expired.length === 0) return null;
  return (
    <BiddingPart title={t("tenders.bidding.expired")}>
      <ul className="divide-y divide-line">
        {expired.map(({ kind, note, expires }) => (
          <li key={`${kind} ${note} ${expires}`} className="flex items-start gap-2.5 py-2 font-medium">
            <CircleHelp size={18} aria-hidden className="mt-0.5 shrink-0 text-soon" />
            <span className="min-w-0 wrap-anywhere">
              {[t(`account.company.kinds.${kind}`), note, expires && formatDay(expires)]
                .filter(Boolean)
                .join(", ")}
            </span>
          </li>
        ))}
      </ul>
    </BiddingPart>
  );
}

/** The kinds of requirements that are compared with the profile, in the order of its page. */
const PROFILE_KINDS = ["grade", "contracts-act", "experience", "turnover", "bid-security"] as const;

/** Says who can see whether the company may bid, and where to enter the profile. */
function ProfileInvitation({ requirements }: { requirements: readonly Requirement[] }) {
  const { t } = useTranslation();
  const { user } = useAccount();
  const kinds = PROFILE_KINDS.filter((kind) => requirements.some((asked) => asked.kind === kind));
  const what = kinds.map((kind) => t(`tenders.bidding.fill.${kind}`)).join(", ");
  const target = user
    ? paths.accountCompany
    : `${paths.login}?redirect=${encodeURIComponent(paths.accountCompany)}`;
  return (
    <p className="text-[0.9375rem] text-ink-soft print:hidden">
      {t(user ? "tenders.bidding.enterProfile" : "tenders.bidding.signIn")}
      {what && ` ${t("tenders.bidding.enterThese", { what })}`}{" "}
      <Link to={target} className="font-medium text-accent underline">
        {t(user ? "tenders.bidding.profileLink" : "tenders.bidding.signInLink")}
      </Link>
    </p>
  );
}

/** The answer in one line, with what it rests on. */
function AnswerBanner({ look, text, children }: { look: BannerLook; text: string; children?: ReactNode }) {
  const { icon: Icon, style } = look;
  return (
    <div className={`flex items-start gap-2.5 rounded-lg px-3 py-2.5 ${style}`}>
      <Icon size={20} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="text-[1.0625rem] font-semibold wrap-anywhere">{text}</p>
        {children}
      </div>
    </div>
  );
}

/** Warns of a registration that ends soon after the closing. */
function EndingNote({ registration: { name, expires, days } }: { registration: EndingRegistration }) {
  const { t } = useTranslation();
  const values = { name, day: formatDay(expires) };
  return (
    <p className="flex items-start gap-2.5 px-3 font-medium text-soon wrap-anywhere">
      <CalendarClock size={18} aria-hidden className="mt-0.5 shrink-0" />
      {days === 0
        ? t("tenders.bidding.endsOnClosing", values)
        : t("tenders.bidding.endsSoon", { ...values, count: days })}
    </p>
  );
}

/** What is missing stands first, then what is not certain. */
const RANKS = { missing: 0, "not-certain": 1, met: 2 };

function rank({ verdict }: Requirement): number {
  return verdict ? RANKS[verdict] : RANKS.met + 1;
}

/** A requirement of a tender that takes no more bids. It is neither met nor missing. */
function withoutVerdict({ kind, path }: Requirement): Requirement {
  return { kind, path };
}

/** The requirements and costs of a tender; nothing if it states none and the user has no profile. */
export function Bidding({
  tender,
  heading: Title,
  highlights,
}: {
  tender: DetailedTender;
  heading: "h2" | "h3";
  highlights: Highlights;
}) {
  const { t } = useTranslation();
  const titleId = useId();
  const hasEnded = takesNoBids(tender, useNow());
  const { bidding, endedSale } = useOwnDocuments(tender);
  const { data } = useQuery({ ...companyProfile, enabled: bidding?.answer != null });
  if (!bidding) return null;
  const { requirements, costs } = bidding;
  if (bidding.answer == null && requirements.length === 0 && costs.length === 0) return null;
  // Nobody has to sign in to learn that the notice does not say who may bid.
  const isRegistration = tender.kind === "registration";
  const answer = bidding.answer ?? (statesCondition(bidding) ? null : "not-stated");
  const ordered = hasEnded
    ? requirements.map(withoutVerdict)
    : requirements.toSorted((one, other) => rank(one) - rank(other));
  const company = hasEnded ? undefined : data?.company;
  return (
    <section
      id={Title === "h2" ? BIDDING_ID : undefined}
      aria-labelledby={titleId}
      className="grid scroll-mt-[calc(var(--header)+1rem)] gap-3 rounded-xl border border-line px-4 py-4"
    >
      <Title id={titleId} className="text-[0.9375rem] font-semibold">
        {mayBidQuestion(tender, t)}
      </Title>
      {tender.bid?.stage === "submitted" ? (
        <AnswerBanner
          look={submittedStyles[!hasEnded && answer === "missing" ? "lacking" : "complete"]}
          text={submittedAnswer(tender, hasEnded ? null : bidding, t)}
        />
      ) : hasEnded ? (
        <AnswerBanner
          look={answerStyles["not-stated"]}
          text={t(isRegistration ? "tenders.registration.ended" : "tenders.bidding.ended")}
        />
      ) : answer ? (
        <AnswerBanner look={answerStyles[answer]} text={fullBidAnswer(tender, answer, ordered, t)}>
          {(answer === "can-bid" || answer === "not-stated") && (
            <p className="text-sm">
              {isRegistration && answer === "not-stated"
                ? t("tenders.registration.noNeeds")
                : t(`tenders.bidding.notes.${answer}`)}
            </p>
          )}
        </AnswerBanner>
      ) : (
        <ProfileInvitation requirements={requirements} />
      )}
      {answer === "can-bid" &&
        !hasEnded &&
        endingRegistrations(tender, requirements, data?.company).map((registration) => (
          <EndingNote key={`${registration.name} ${registration.expires}`} registration={registration} />
        ))}
      {requirements.length > 0 && (
        <BiddingPart title={t("tenders.bidding.requirements")}>
          <ul className="divide-y divide-line">
            {ordered.map((requirement) => (
              <RequirementLine
                key={`${requirement.kind} ${requirement.path}`}
                requirement={requirement}
                tender={tender}
                company={company}
                highlights={highlights}
              />
            ))}
          </ul>
        </BiddingPart>
      )}
      <ExpiredDocuments rows={bidding.expiredDocuments ?? []} company={company} />
      {costs.length > 0 && (
        <CashToBid
          hasEnded={hasEnded}
          costs={costs}
          endedSale={endedSale}
          saleEnds={bidding.saleEnds}
          securityUntil={bidding.securityUntil}
          tender={tender}
        />
      )}
    </section>
  );
}
