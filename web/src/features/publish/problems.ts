// The checks of the tender form before it is sent, and the form fields that the server's errors are
// about. Each problem that the form finds is the key of a message in `publish.need`.

import { isBlankRow, parseNumber } from "./body.ts";
import { type FieldPath, PERCENT, type PublishForm } from "./form.ts";
import { comparePaths, isFieldName } from "./steps.ts";

/** The fields that publishing requires, in the order of the messages. */
export const REQUIRED_FIELDS = [
  "title",
  "description",
  "referenceNo",
  "category",
  "organizationName",
  "province",
  "district",
  "closingDay",
] as const;

const NUMBER_FIELDS = ["experienceYears", "turnover", "estimatedValue", "fee"] as const;

type Failure =
  | (typeof REQUIRED_FIELDS)[number]
  | "future"
  | "number"
  | "percentage"
  | "day"
  | "grade"
  | "lotTitle"
  | "saleOrder"
  | "saleClosing"
  | "preBidClosing"
  | "preBidPublished";

interface FormProblem {
  path: FieldPath;
  failure: Failure;
}

export interface Rules {
  /** Whether the tender is published. A draft has no problems. */
  publishing: boolean;
  today: string;
  /** The closing day of a published tender. Unlike any other day, it may have passed. */
  publishedClosing: string;
}

function numberProblem(path: FieldPath, text: string, unit = ""): FormProblem[] {
  const number = parseNumber(text);
  if (Number.isNaN(number)) return [{ path, failure: "number" }];
  return unit === PERCENT && (number ?? 0) > 100 ? [{ path, failure: "percentage" }] : [];
}

function numberProblems(form: PublishForm): FormProblem[] {
  return [
    ...NUMBER_FIELDS.flatMap((name) => numberProblem(name, form[name])),
    ...numberProblem("bidBond", form.bidBond, form.bidBondUnit),
    ...numberProblem("performanceBond", form.performanceBond, form.performanceBondUnit),
  ];
}

function rowProblems({ grades, lots }: PublishForm): FormProblem[] {
  return [
    ...grades.flatMap((row, at): FormProblem[] =>
      row.grade === "" && !isBlankRow(row) ? [{ path: `grades.${at}.grade`, failure: "grade" }] : [],
    ),
    ...lots.flatMap((row, at): FormProblem[] => {
      if (isBlankRow(row)) return [];
      const title: FormProblem = { path: `lots.${at}.title`, failure: "lotTitle" };
      return [
        ...(row.title.trim() === "" ? [title] : []),
        ...numberProblem(`lots.${at}.bidBond`, row.bidBond, row.bidBondUnit),
      ];
    }),
  ];
}

/** A day and a time as a text that is ordered like the moments. */
const momentKey = (day: string, hour: string, wholeDay: string) => `${day}T${hour || wholeDay}`;

function dateProblems(form: PublishForm, { today, publishedClosing }: Rules): FormProblem[] {
  const { closingDay, closingHour, preBidDay, preBidHour, saleFrom, saleUntil } = form;
  const found: FormProblem[] = [];
  const report = (isWrong: boolean, path: FieldPath, failure: Failure) => {
    if (isWrong) found.push({ path, failure });
  };
  const isClosingKnown = closingDay !== "";
  report(isClosingKnown && closingDay !== publishedClosing && closingDay <= today, "closingDay", "future");
  report(form.openingDay === "" && form.openingHour !== "", "openingDay", "day");
  report(preBidDay === "" && preBidHour !== "", "preBidDay", "day");
  report(saleFrom !== "" && saleUntil !== "" && saleUntil < saleFrom, "saleUntil", "saleOrder");
  report(isClosingKnown && saleUntil > closingDay, "saleUntil", "saleClosing");
  if (preBidDay === "") return found;
  const closing = momentKey(closingDay, closingHour, "23:59");
  const isLate = isClosingKnown && momentKey(preBidDay, preBidHour, "00:00") >= closing;
  report(isLate, "preBidDay", "preBidClosing");
  report(!isLate && form.published !== "" && preBidDay < form.published, "preBidDay", "preBidPublished");
  return found;
}

/** Finds the problems of the form, in the order of its fields, at most one for each field. */
export function findProblems(form: PublishForm, rules: Rules): FormProblem[] {
  if (!rules.publishing) return [];
  const missing = REQUIRED_FIELDS.filter((field) => form[field].trim() === "");
  const found: FormProblem[] = [
    ...missing.map((field) => ({ path: field, failure: field })),
    ...dateProblems(form, rules),
    ...numberProblems(form),
    ...rowProblems(form),
  ];
  return found
    .filter(({ path }, at) => found.findIndex((other) => other.path === path) === at)
    .sort((one, other) => comparePaths(one.path, other.path));
}

/** The form fields whose paths in the server's errors differ from their names. */
const FORM_FIELD_BY_PATH: Record<string, FieldPath> = {
  "organization.name": "organizationName",
  "organization.type": "organizationType",
  "organization.contactPerson.name": "contactName",
  "organization.contactPerson.email": "contactEmail",
  "organization.contactPerson.phone": "contactPhone",
  "location.province": "province",
  "location.district": "district",
  "location.city": "city",
  "dates.published": "published",
  "dates.closing": "closingDay",
  "dates.opening": "openingDay",
  "financials.estimatedValue.amount": "estimatedValue",
  "financials.estimatedValue.currency": "currency",
  "financials.bidBond.percentage": "bidBond",
  "financials.bidBond.amount": "bidBond",
  "financials.bidBond.currency": "bidBondUnit",
  "financials.performanceBond.percentage": "performanceBond",
  "financials.performanceBond.amount": "performanceBond",
  "financials.performanceBond.currency": "performanceBondUnit",
  "eligibility.criteria": "criteria",
  "eligibility.documentRequired": "documentRequired",
  "eligibility.experience.years": "experienceYears",
  "eligibility.experience.description": "experience",
  "eligibility.turnover.minimum": "turnover",
  "documentFee.amount": "fee",
  "documentFee.currency": "feeCurrency",
  "documentFee.saleFrom": "saleFrom",
  "documentFee.saleUntil": "saleUntil",
  "documentFee.place": "salePlace",
  "preBid.at": "preBidDay",
  "preBid.place": "preBidPlace",
  "submission.methods": "submissionMethods",
  "submission.place": "submissionPlace",
  cida: "grades",
};

const ROW_PATTERN = /^(cida|lots)\[(\d+)\]\.(\w+)(?:\.(\w+))?$/;

/** The field of a row, such as `lots.0.bidBond` for `lots[0].bidBond.amount`. */
function rowField(path: string, form: PublishForm): FieldPath | null {
  const [, list, row, name, part] = ROW_PATTERN.exec(path) ?? [];
  if (list === undefined) return null;
  const rows: readonly object[] = list === "cida" ? form.grades : form.lots;
  const field = part === "currency" ? `${name}Unit` : name;
  const known = rows[Number(row)];
  if (!known || !field || !Object.hasOwn(known, field)) return null;
  return `${list === "cida" ? "grades" : "lots"}.${Number(row)}.${field}` as FieldPath;
}

/** Finds the form field for the path of a server error; `null` if the form has no such field. */
export function fieldForPath(path: string, form: PublishForm): FieldPath | null {
  const row = rowField(path, form);
  if (row) return row;
  const plain = path.replace(/\[\d+\]$/, "");
  const known = Object.hasOwn(FORM_FIELD_BY_PATH, plain) ? FORM_FIELD_BY_PATH[plain] : undefined;
  return known ?? (isFieldName(plain) ? plain : null);
}
