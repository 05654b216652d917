// What the company profile has of a row of the checklist.

import type { BidChecklistRow, BidNotice, Company } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { dayOf, formatDay } from "@/shared/format/dates.ts";
import { gradeText } from "@/shared/tender/gradeText.ts";

/** Something that the company has, with the last day of its validity. */
interface Holding {
  name: string;
  expires: string | null;
}

/** What the company has of the kind of a row. Of documents, the one that is valid longest counts. */
function holdingsOf(kind: string | undefined, company: Company): Holding[] {
  const document = (wanted: string): Holding[] => {
    const held = (company.documents ?? []).filter((one) => one.kind === wanted);
    const longest = held.toSorted((a, b) => (b.expires ?? "9999").localeCompare(a.expires ?? "9999"))[0];
    return longest ? [{ name: longest.note ?? "", expires: longest.expires ?? null }] : [];
  };
  const number = (value: string | null | undefined): Holding[] =>
    value ? [{ name: value, expires: null }] : [];
  const orElse = (one: Holding[], other: Holding[]) => (one.length > 0 ? one : other);
  switch (kind) {
    case "business-registration":
      return orElse(number(company.businessRegistration), document("business-registration"));
    case "vat":
      return number(company.vat);
    case "cida":
      return document("cida");
    case "contracts-act": {
      const registrations = (company.contractsAct ?? []).map(({ sector, category, expires }) => ({
        name: [sector, category].filter(Boolean).join(", "),
        expires: expires ?? null,
      }));
      return orElse(registrations, document("pca-3"));
    }
    default:
      return [];
  }
}

/** A sentence about something in the profile. */
export interface ProfileFact {
  text: string;
  /** Whether something is missing, not certain, or expires before bids close. */
  isWarning: boolean;
  /** Whether it must be done today or tomorrow. */
  isUrgent?: boolean;
}

/** Something that the company has, in words. */
function holdingFact({ name, expires }: Holding, closing: string | null, t: Translate): ProfileFact {
  const isTooShort = expires !== null && closing !== null && expires < dayOf(closing);
  const held = name ? t("bids.profile.named", { name }) : t("bids.profile.has");
  const day = expires && formatDay(expires);
  const validity = day && t(isTooShort ? "bids.profile.expires" : "bids.profile.validUntil", { day });
  return { text: [held, validity].filter(Boolean).join(", "), isWarning: isTooShort };
}

/** The grades that a notice asks for, and the server's comparison with the company's registrations. */
export type AskedGrades = Pick<BidNotice, "cida" | "bidding">;

/**
 * The registration that the server compared with the grades of the notice. What is missing or not certain is
 * said in the words of the tender's page, so that both pages agree.
 */
function gradeFacts(
  { cida, bidding }: AskedGrades,
  company: Company,
  closing: string | null,
  t: Translate,
): ProfileFact[] {
  const finding = bidding?.requirements.find(({ kind }) => kind === "grade");
  if (!finding?.verdict) return [];
  const { verdict, reason, row } = finding;
  const held = company.cida?.[row ?? -1];
  const fact =
    held &&
    holdingFact({ name: `${held.grade} ${held.field}`.trim(), expires: held.expires ?? null }, closing, t);
  const grades = (cida ?? []).map((asked) => gradeText(asked, t)).join(", ");
  if (verdict === "met") {
    // The row names the grades that are met.
    return [fact ?? { text: t("tenders.bidding.kinds.grade", { grades }), isWarning: false }];
  }
  const what = t("tenders.bidding.short.grade", { grade: grades });
  const answer = t(`tenders.bidding.first.${verdict}`, { what });
  const text = reason ? `${answer}. ${t(`tenders.bidding.reasons.${reason}`)}` : answer;
  return [{ text, isWarning: true }, ...(fact ? [fact] : [])];
}

/**
 * What the profile has of a row, in words; nothing if it has none. Nothing is said of registrations that were
 * not compared with the notice.
 */
export function profileFacts(
  { derived }: BidChecklistRow,
  company: Company,
  closing: string | null,
  asked: AskedGrades | null,
  t: Translate,
): ProfileFact[] {
  if (derived?.kind === "cida" && (company.cida ?? []).length > 0) {
    return asked ? gradeFacts(asked, company, closing, t) : [];
  }
  return holdingsOf(derived?.kind, company).map((holding) => holdingFact(holding, closing, t));
}
