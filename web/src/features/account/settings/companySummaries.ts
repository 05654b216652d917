// What the sections of the company profile have, in a line each.

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

/** The sections with something that expires soon or has expired. */
export function expiringSections(company: Company, now: number): ReadonlySet<CompanySectionName> {
  return new Set(
    (["cida", "contractsAct", "documents"] as const).filter((section) =>
      company[section]?.some(({ expires }) => expires && daysUntil(expires, now) <= RENEWAL_DAYS),
    ),
  );
}

/** A name with the day until which it is valid. Without a name, nothing is filled in. */
function withExpiry(name: string, expires: string | null | undefined, t: Translate): string {
  if (!name || !expires) return name;
  return `${name} (${t("tenders.bidding.validUntil", { day: formatDay(expires) })})`;
}

/** The line of each section. It is empty if nothing is filled in. */
export function summariesOf(company: Company, t: Translate): Record<CompanySectionName, string> {
  const { cida = [], contractsAct = [], turnover = [], documents = [], districts = [] } = company;
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
    cida: cida
      .map(({ grade, field, expires }) => withExpiry(`${grade} ${field}`.trim(), expires, t))
      .filter(Boolean)
      .join(", "),
    contractsAct: contractsAct
      .map(({ sector, category, expires }) =>
        withExpiry([sector, category].filter(Boolean).join(", "), expires, t),
      )
      .filter(Boolean)
      .join("; "),
    capacity: capacity.filter(Boolean).join("; "),
    documents: documents
      .map(({ kind, expires }) => withExpiry(t(`account.company.kinds.${kind}`), expires, t))
      .join(", "),
    numbers: NUMBERS.filter((name) => company[name])
      .map((name) => t(`account.company.${name}`))
      .join(", "),
    // No district stands for all of them, once the company has filled in anything.
    districts:
      districts.length === 0 && isStarted
        ? t("account.company.everywhere")
        : districts.map((district) => vocabularyName("district", district, t)).join(", "),
  };
}
