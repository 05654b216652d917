// What the sections of the company profile have, in a line each.

import type { Company } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
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

/** The line of each section. It is empty if nothing is filled in. */
export function summariesOf(company: Company, t: Translate): Record<CompanySectionName, string> {
  const { cida = [], contractsAct = [], turnover = [], documents = [], districts = [] } = company;
  const years = company.experienceYears;
  const capacity = [
    years != null && t("account.company.yearCount", { count: years }),
    turnover.length > 0 &&
      t("account.company.turnoverOf", { years: turnover.map(({ year }) => year).join(", ") }),
    company.bondLimit != null && t("account.company.bondLimitShort"),
  ];
  const isStarted = [cida, contractsAct, turnover, documents].some((list) => list.length > 0);
  return {
    cida: cida
      .map(({ grade, field }) => `${grade} ${field}`.trim())
      .filter(Boolean)
      .join(", "),
    contractsAct: contractsAct
      .map(({ sector, category }) => [sector, category].filter(Boolean).join(", "))
      .filter(Boolean)
      .join("; "),
    capacity: capacity.filter(Boolean).join("; "),
    documents: documents.map(({ kind }) => t(`account.company.kinds.${kind}`)).join(", "),
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
