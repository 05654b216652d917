// What the sections of the company profile have, in a few words each.

import type { Company } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { daysUntil, formatDay } from "@/shared/format/dates.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import type { CompanyFields } from "./companyFields.ts";

/** The sections of the profile, in the order of the page. */
export const SECTIONS = ["cida", "contractsAct", "capacity", "documents", "numbers", "districts"] as const;

/** A section of the profile. */
export type CompanySectionName = (typeof SECTIONS)[number];

/** The fields of the form that each section has. */
export const SECTION_FIELDS = {
  cida: ["cida"],
  contractsAct: ["contractsAct"],
  capacity: ["experienceYears", "bondLimit", "turnover"],
  documents: ["documents"],
  numbers: ["businessRegistration", "vat", "svat"],
  districts: ["districts"],
} as const satisfies Record<CompanySectionName, readonly (keyof CompanyFields)[]>;

const NUMBERS = ["businessRegistration", "vat", "svat"] as const;

/** How many days before its expiry something is renewed. */
const RENEWAL_DAYS = 60;

/** An entry of a section in words. */
export interface SummaryEntry {
  text: string;
  /** Whether it must be renewed: it expires soon, or has expired. */
  renewal: "soon" | "expired" | null;
}

/** What stands between the entries of a section. */
export const SEPARATORS: Record<CompanySectionName, string> = {
  cida: ", ",
  contractsAct: "; ",
  capacity: "; ",
  documents: ", ",
  numbers: ", ",
  districts: ", ",
};

function renewalOf(expires: string, now: number): SummaryEntry["renewal"] {
  const days = daysUntil(expires, now);
  if (days < 0) return "expired";
  return days <= RENEWAL_DAYS ? "soon" : null;
}

/** An entry without a day until which it is valid. */
const lasting = (text: string): SummaryEntry => ({ text, renewal: null });

/** The entries of each section. There are none if nothing is filled in. */
export function summariesOf(
  company: Company,
  now: number,
  t: Translate,
): Record<CompanySectionName, SummaryEntry[]> {
  const { cida = [], contractsAct = [], turnover = [], documents = [], districts = [] } = company;
  /** A name with the day until which it is valid. Without a name, nothing is filled in. */
  const withExpiry = (name: string, expires: string | null | undefined): SummaryEntry[] => {
    if (!name) return [];
    if (!expires) return [lasting(name)];
    const renewal = renewalOf(expires, now);
    const validity = t("tenders.bidding.validUntil", { day: formatDay(expires) });
    const notes = [validity, renewal && t(`account.company.renewal.${renewal}`)].filter(Boolean);
    return [{ text: `${name} (${notes.join(", ")})`, renewal }];
  };
  const years = company.experienceYears;
  const capacity = [
    years != null && t("account.company.yearCount", { count: years }),
    turnover.length > 0 &&
      t("account.company.turnoverOf", {
        years: turnover.map(({ year, amount }) => `${year}: ${formatAmount(amount, "LKR")}`).join(", "),
      }),
    company.bondLimit != null &&
      t("account.company.bondLimitShort", { amount: formatAmount(company.bondLimit, "LKR") }),
  ];
  const isStarted = [cida, contractsAct, turnover, documents].some((list) => list.length > 0);
  return {
    cida: cida.flatMap(({ grade, field, expires }) => withExpiry(`${grade} ${field}`.trim(), expires)),
    contractsAct: contractsAct.flatMap(({ sector, category, expires }) =>
      withExpiry([sector, category].filter(Boolean).join(", "), expires),
    ),
    capacity: capacity.flatMap((text) => (text ? [lasting(text)] : [])),
    documents: documents.flatMap(({ kind, expires }) =>
      withExpiry(t(`account.company.kinds.${kind}`), expires),
    ),
    numbers: NUMBERS.filter((name) => company[name]).map((name) => lasting(t(`account.company.${name}`))),
    // No district stands for all of them, once the company has filled in anything.
    districts:
      districts.length === 0 && isStarted
        ? [lasting(t("account.company.everywhere"))]
        : districts.map((district) => lasting(vocabularyName("district", district, t))),
  };
}
