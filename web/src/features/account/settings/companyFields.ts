// The form of the company profile: its fields as texts, and their conversion from and to the profile.

import type { Path } from "react-hook-form";
import type { components } from "@/api/schema.gen.ts";
import type { Company } from "@/api/types.ts";
import { groupDigits } from "@/shared/format/groupDigits.ts";
import type { District } from "@/shared/tender/vocabulary.ts";

type DocumentKind = components["schemas"]["DocumentInHand"];

export const DOCUMENT_KINDS = [
  "pca-3",
  "cida",
  "bank-letter",
  "tax-clearance",
  "business-registration",
  "audited-accounts",
  "other",
] as const satisfies readonly DocumentKind[];

/** The profile as texts. An empty text stands for what is not entered. */
export interface CompanyFields {
  businessRegistration: string;
  vat: string;
  svat: string;
  cida: { grade: string; field: string; expires: string }[];
  contractsAct: { sector: string; category: string; expires: string }[];
  turnover: { year: string; amount: string }[];
  experienceYears: string;
  districts: string[];
  bondLimit: string;
  documents: { kind: DocumentKind; note: string; expires: string }[];
}

export function fieldsOf(company: Company): CompanyFields {
  const { cida = [], contractsAct = [], turnover = [], documents = [], districts = [] } = company;
  return {
    businessRegistration: company.businessRegistration ?? "",
    vat: company.vat ?? "",
    svat: company.svat ?? "",
    cida: cida.map(({ grade, field, expires }) => ({ grade, field, expires: expires ?? "" })),
    contractsAct: contractsAct.map(({ sector, category, expires }) => ({
      sector,
      category: category ?? "",
      expires: expires ?? "",
    })),
    turnover: turnover.map(({ year, amount }) => ({
      year: String(year),
      amount: groupDigits(String(amount)),
    })),
    experienceYears: company.experienceYears == null ? "" : String(company.experienceYears),
    districts,
    bondLimit: company.bondLimit == null ? "" : groupDigits(String(company.bondLimit)),
    documents: documents.map(({ kind, note, expires }) => ({
      kind,
      note: note ?? "",
      expires: expires ?? "",
    })),
  };
}

/** The number in a text such as `25,000,000`; `null` if it is none. */
function parseAmount(text: string): number | null {
  const digits = text.replaceAll(/[\s,]/g, "");
  return /^\d{1,15}(\.\d{1,2})?$/.test(digits) ? Number(digits) : null;
}

/** Converts the fields to a profile. `problems` are the fields that should be numbers and are not. */
export function profileOf(fields: CompanyFields): { company: Company; problems: Path<CompanyFields>[] } {
  const problems: Path<CompanyFields>[] = [];
  const number = (path: Path<CompanyFields>, text: string) => {
    const value = parseAmount(text);
    if (value === null) problems.push(path);
    return value ?? 0;
  };
  const optional = <Name extends string>(name: Name, text: string) =>
    text.trim() ? ({ [name]: text.trim() } as Record<Name, string>) : {};
  const company: Company = {
    ...optional("businessRegistration", fields.businessRegistration),
    ...optional("vat", fields.vat),
    ...optional("svat", fields.svat),
    cida: fields.cida.map(({ grade, field, expires }) => ({ grade, field, ...optional("expires", expires) })),
    contractsAct: fields.contractsAct.map(({ sector, category, expires }) => ({
      sector,
      ...optional("category", category),
      ...optional("expires", expires),
    })),
    turnover: fields.turnover.map(({ year, amount }, row) => ({
      year: number(`turnover.${row}.year`, year),
      amount: number(`turnover.${row}.amount`, amount),
    })),
    ...(fields.experienceYears.trim() && {
      experienceYears: number("experienceYears", fields.experienceYears),
    }),
    districts: fields.districts as District[],
    ...(fields.bondLimit.trim() && { bondLimit: number("bondLimit", fields.bondLimit) }),
    documents: fields.documents.map(({ kind, note, expires }) => ({
      kind,
      ...optional("note", note),
      ...optional("expires", expires),
    })),
  };
  return { company, problems };
}

/** The path in the form of a field that the portal names, such as `cida[0].grade`. */
export const formPath = (field: string) => field.replaceAll(/\[(\d+)\]/g, ".$1") as Path<CompanyFields>;
