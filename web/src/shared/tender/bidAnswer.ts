// The answer to "May I bid?" in words. It names what is missing or not certain.

import type { BidAnswer, Bidding, Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { formatAmount } from "@/shared/format/money.ts";

/** What the notice asks of bidders. */
export type Asking = Pick<Tender, "cida" | "eligibility"> & { kind?: Tender["kind"] };
type Requirement = Pick<Bidding["requirements"][number], "kind" | "path" | "reason">;

/** The id of the part of a tender's page that answers "May I bid?". */
export const BIDDING_ID = "may-i-bid";

/** The grade that a requirement asks for. */
function gradeOf({ cida }: Asking, { path }: Requirement) {
  return cida?.[Number(path?.split(".").at(-1))] ?? cida?.[0];
}

/** A requirement in a few words. `namesField`: a grade is named with its field of work in any case. */
function shortName(tender: Asking, requirement: Requirement, t: Translate, namesField = false): string {
  const { eligibility } = tender;
  const { kind, reason } = requirement;
  switch (kind) {
    case "grade": {
      const { grade = "", field } = gradeOf(tender, requirement) ?? {};
      const name = t("tenders.bidding.short.grade", { grade }).trim();
      // A company may have the same grade for another field.
      return (namesField || reason === "other-field" || reason === "too-low") && field
        ? `${name} (${field})`
        : name;
    }
    case "experience": {
      const years = eligibility?.experience?.years;
      return years == null
        ? t("tenders.bidding.short.experience")
        : t("tenders.bidding.short.years", { count: years });
    }
    case "turnover": {
      const { minimum = 0, currency } = eligibility?.turnover ?? {};
      return t("tenders.bidding.short.turnover", { amount: formatAmount(minimum, currency) });
    }
    default:
      return t(`tenders.bidding.short.${kind}`);
  }
}

/** "May I bid?", or whether the reader may register. */
export function mayBidQuestion({ kind }: { kind?: Tender["kind"] }, t: Translate): string {
  return t(kind === "registration" ? "tenders.registration.title" : "tenders.bidding.title");
}

/** An answer that names no requirement. A supplier registers without a bid. */
function plainAnswer({ kind }: Asking, answer: BidAnswer, t: Translate): string {
  return kind === "registration" && (answer === "can-bid" || answer === "not-stated")
    ? t(`tenders.registration.answers.${answer}`)
    : t(`tenders.bidding.answers.${answer}`);
}

/** An answer in a few words. `first` is the first requirement that decides it. */
export function shortBidAnswer(
  tender: Asking,
  answer: BidAnswer,
  first: Requirement | null | undefined,
  t: Translate,
): string {
  if (answer === "not-certain" && first?.kind === "criterion") return t("tenders.bidding.onlyJudge");
  if ((answer === "missing" || answer === "not-certain") && first) {
    return t(`tenders.bidding.first.${answer}`, { what: shortName(tender, first, t) });
  }
  return plainAnswer(tender, answer, t);
}

/** The requirements that say who may bid. Every bidder gives a bid security and is registered. */
const CONDITIONS: ReadonlySet<Requirement["kind"]> = new Set([
  "grade",
  "experience",
  "turnover",
  "criterion",
]);

/**
 * Whether the requirements say who may bid. If they don't, it makes no difference what is known of the user's
 * company.
 */
export function statesCondition({ requirements }: Pick<Bidding, "requirements">): boolean {
  return requirements.some(({ kind }) => CONDITIONS.has(kind));
}

/** Whether a requirement has a say in the answer. A security that is a share of the price has no amount yet. */
const decides = ({ kind, reason }: Requirement & { reason?: string | null | undefined }) =>
  kind !== "bid-security" || reason !== "no-number";

/**
 * The answer for a company that has the documents, although they are no longer sold. The other requirements
 * decide it.
 */
export function answerWithDocuments(bidding: Bidding): Bidding {
  const requirements = bidding.requirements.filter(({ kind }) => kind !== "documents");
  if (requirements.length === bidding.requirements.length || bidding.answer == null) return bidding;
  const verdicts = new Set(requirements.filter(decides).map(({ verdict }) => verdict));
  const open = (["missing", "not-certain"] as const).find((verdict) => verdicts.has(verdict));
  const answer = open ?? (statesCondition({ requirements }) ? "can-bid" : "not-stated");
  return { ...bidding, requirements, answer };
}

/** The answer in a few words; `null` without a company profile. */
export function bidAnswerText(tender: Asking, { answer, requirements }: Bidding, t: Translate) {
  if (answer == null) return null;
  const first = requirements.filter(decides).find(({ verdict }) => verdict === answer);
  return shortBidAnswer(tender, answer, first, t);
}

/** The names of the requirements that lead to an answer; empty if none does. */
function namesOf(
  tender: Asking,
  answer: BidAnswer,
  requirements: Bidding["requirements"],
  t: Translate,
  namesField = false,
): string {
  const deciding = requirements.filter(decides).filter(({ verdict }) => verdict === answer);
  const names = deciding.map((requirement) => shortName(tender, requirement, t, namesField));
  return [...new Set(names)].join(", ");
}

/** The answer with everything that is missing or not certain. */
export function fullBidAnswer(
  tender: Asking,
  answer: BidAnswer,
  requirements: Bidding["requirements"],
  t: Translate,
): string {
  const what = namesOf(tender, answer, requirements, t);
  if ((answer !== "missing" && answer !== "not-certain") || what === "") {
    return plainAnswer(tender, answer, t);
  }
  const deciding = requirements.filter(decides).filter(({ verdict }) => verdict === answer);
  if (answer === "not-certain" && deciding.every(({ kind }) => kind === "criterion")) {
    return t("tenders.bidding.onlyJudge");
  }
  return t(`tenders.bidding.first.${answer}`, { what });
}

/**
 * Says that the user has submitted a bid, and what the company lacks by its profile. `bidding` is `null` if
 * nobody compares them any more.
 */
export function submittedAnswer(
  tender: Asking,
  bidding: Pick<Bidding, "requirements"> | null,
  t: Translate,
): string {
  const what = bidding ? namesOf(tender, "missing", bidding.requirements, t, true) : "";
  if (what) return t("tenders.bidding.submittedLacks", { what });
  return t(tender.kind === "registration" ? "tenders.registration.submitted" : "tenders.bidding.submitted");
}
