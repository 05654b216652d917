// The values of the tender form, the request body built from them, and the checks for publishing.
// The checks run in the order of the form. Each problem is the key of a message in `publish.need`.

import { z } from "zod";
import type { components } from "@/api/schema.gen.ts";
import type { Tender, User } from "@/api/types.ts";
import { dayOf, timeOf } from "@/shared/format/dates.ts";

z.config({ jitless: true });

type TenderBody = components["schemas"]["TenderForm"];

/** The values of all form fields. Numbers are stored as the user typed them. */
export interface PublishForm {
  title: string;
  description: string;
  referenceNo: string;
  category: string;
  subcategory: string;
  organizationName: string;
  organizationType: string;
  contactName: string;
  contactEmail: string;
  contactPhone: string;
  province: string;
  district: string;
  city: string;
  /** `YYYY-MM-DD`, or empty. */
  published: string;
  /** `YYYY-MM-DD`, or empty. */
  closingDay: string;
  /** `HH:MM`. If it is empty, bids close at the end of the day. */
  closingHour: string;
  /** `YYYY-MM-DD`, or empty. */
  openingDay: string;
  /** `HH:MM`, or empty. */
  openingHour: string;
  estimatedValue: string;
  currency: string;
  bidBond: string;
  performanceBond: string;
  criteria: string[];
  documentRequired: string[];
  experienceYears: string;
  experience: string;
  turnover: string;
  tags: string[];
  priority: string;
  visibility: string;
  sourceUrl: string;
}

export type FieldName = keyof PublishForm;

/** The initial form of a new tender. */
export function blankForm(user: User, today: string): PublishForm {
  return {
    title: "",
    description: "",
    referenceNo: "",
    category: "",
    subcategory: "",
    organizationName: user.company ?? "",
    organizationType: "private",
    contactName: `${user.firstName} ${user.lastName}`.trim(),
    contactEmail: user.email,
    contactPhone: user.phone ?? "",
    province: "",
    district: "",
    city: "",
    published: today,
    closingDay: "",
    closingHour: "",
    openingDay: "",
    openingHour: "",
    estimatedValue: "",
    currency: "LKR",
    bidBond: "",
    performanceBond: "",
    criteria: [],
    documentRequired: [],
    experienceYears: "",
    experience: "",
    turnover: "",
    tags: [],
    priority: "medium",
    visibility: "public",
    sourceUrl: "",
  };
}

/** A tender. A draft also has the input as typed, because its record lacks invalid input. */
type TenderWithInput = Tender & { draftInput?: Record<string, unknown> | null };

/** Converts a tender to form values. A draft shows the input as typed, except its dates. */
export function toForm({ draftInput, ...record }: TenderWithInput): PublishForm {
  const tender = { ...record, ...draftInput, dates: record.dates } as Tender;
  const { organization, location, dates, financials, eligibility } = tender;
  const person = organization?.contactPerson;
  const number = (value: number | null | undefined) => (value == null ? "" : String(value));
  return {
    title: tender.title,
    description: tender.description ?? "",
    referenceNo: tender.referenceNo ?? "",
    category: tender.category ?? "",
    subcategory: tender.subcategory ?? "",
    organizationName: organization?.name ?? "",
    organizationType: organization?.type ?? "",
    contactName: person?.name ?? "",
    contactEmail: person?.email ?? "",
    contactPhone: person?.phone ?? "",
    province: location?.province ?? "",
    district: location?.district ?? "",
    city: location?.city ?? "",
    published: dayOf(dates?.published),
    closingDay: dayOf(dates?.closing),
    closingHour: timeOf(dates?.closing),
    openingDay: dayOf(dates?.opening),
    openingHour: timeOf(dates?.opening),
    estimatedValue: number(financials?.estimatedValue?.amount),
    currency: financials?.estimatedValue?.currency ?? "LKR",
    bidBond: number(financials?.bidBond?.percentage),
    performanceBond: number(financials?.performanceBond?.percentage),
    criteria: eligibility?.criteria ?? [],
    documentRequired: eligibility?.documentRequired ?? [],
    experienceYears: number(eligibility?.experience?.years),
    experience: eligibility?.experience?.description ?? "",
    turnover: number(eligibility?.turnover?.minimum),
    tags: tender.tags ?? [],
    priority: tender.priority ?? "medium",
    visibility: tender.visibility ?? "public",
    sourceUrl: tender.sourceUrl ?? "",
  };
}

const NUMBER_FIELDS = [
  "estimatedValue",
  "bidBond",
  "performanceBond",
  "experienceYears",
  "turnover",
] as const;

/**
 * Parses a number as people type it: `1,500.50`. Returns `null` for blank input and `NaN` for
 * invalid input.
 */
function parseNumber(text: string): number | null {
  const plain = text.replaceAll(/[\s,]/g, "");
  if (plain === "") return null;
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}

/** Parses a number, but returns invalid input as typed, because a draft may contain it. */
function numberOrInput(text: string): number | string | null {
  const number = parseNumber(text);
  return Number.isNaN(number) ? text : number;
}

/** Joins a day and a time in Colombo. Returns only the day if the time is empty. */
function toMoment(day: string, hour: string): string {
  return day === "" || hour === "" ? day : `${day}T${hour}:00+05:30`;
}

/** Builds the request body with all fields of the form. Cleared fields are empty or null. */
export function toBody(form: PublishForm, status: "draft" | "published" | null): TenderBody {
  const amount = numberOrInput(form.estimatedValue);
  const minimum = numberOrInput(form.turnover);
  const years = numberOrInput(form.experienceYears);
  return {
    ...(status && { status }),
    title: form.title,
    description: form.description,
    referenceNo: form.referenceNo,
    category: form.category,
    subcategory: form.subcategory,
    priority: form.priority,
    visibility: form.visibility,
    sourceUrl: form.sourceUrl,
    tags: form.tags,
    organization: {
      name: form.organizationName,
      type: form.organizationType,
      contactPerson: { name: form.contactName, email: form.contactEmail, phone: form.contactPhone },
    },
    location: { province: form.province, district: form.district, city: form.city },
    dates: {
      published: form.published,
      closing: toMoment(form.closingDay, form.closingHour),
      opening: toMoment(form.openingDay, form.openingHour),
    },
    financials: {
      estimatedValue: amount === null ? null : { amount, currency: form.currency },
      bidBond: { percentage: numberOrInput(form.bidBond) },
      performanceBond: { percentage: numberOrInput(form.performanceBond) },
    },
    eligibility: {
      criteria: form.criteria,
      documentRequired: form.documentRequired,
      experience: { years, description: form.experience },
      turnover: minimum === null ? null : { minimum },
    },
  };
}

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

export type FormProblem = (typeof REQUIRED_FIELDS)[number] | "future" | "number";

/**
 * Finds the problems of the form, in the order of its fields. A draft has none. `publishedClosing`
 * is the closing day of a published tender; unlike any other day, it may have passed.
 */
export function formErrors(
  form: PublishForm,
  { publishing, today, publishedClosing }: { publishing: boolean; today: string; publishedClosing: string },
): { field: FieldName; failure: FormProblem }[] {
  const found: { field: FieldName; failure: FormProblem }[] = [];
  if (publishing) {
    for (const field of REQUIRED_FIELDS) {
      if (form[field].trim() === "") found.push({ field, failure: field });
    }
    const { closingDay } = form;
    if (closingDay !== "" && closingDay !== publishedClosing && closingDay <= today) {
      found.push({ field: "closingDay", failure: "future" });
    }
    for (const field of NUMBER_FIELDS) {
      if (Number.isNaN(parseNumber(form[field]))) found.push({ field, failure: "number" });
    }
  }
  return found;
}

/** The form fields whose paths in the server's errors differ from their names. */
const FORM_FIELD_BY_PATH: Record<string, FieldName> = {
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
  "financials.performanceBond.percentage": "performanceBond",
  "eligibility.criteria": "criteria",
  "eligibility.documentRequired": "documentRequired",
  "eligibility.experience.years": "experienceYears",
  "eligibility.experience.description": "experience",
  "eligibility.turnover.minimum": "turnover",
};

/** Finds the form field for the path of a server error; `null` if the form has no such field. */
export function fieldForPath(path: string, form: PublishForm): FieldName | null {
  const plain = path.replace(/\[\d+\]$/, "");
  const known = Object.hasOwn(FORM_FIELD_BY_PATH, plain) ? FORM_FIELD_BY_PATH[plain] : undefined;
  return known ?? (Object.hasOwn(form, plain) ? (plain as FieldName) : null);
}

const text = z.string().max(30_000);
const list = z.array(z.string().max(1000)).max(60);
const shape: Record<FieldName, typeof text | typeof list> = {
  title: text,
  description: text,
  referenceNo: text,
  category: text,
  subcategory: text,
  organizationName: text,
  organizationType: text,
  contactName: text,
  contactEmail: text,
  contactPhone: text,
  province: text,
  district: text,
  city: text,
  published: text,
  closingDay: text,
  closingHour: text,
  openingDay: text,
  openingHour: text,
  estimatedValue: text,
  currency: text,
  bidBond: text,
  performanceBond: text,
  criteria: list,
  documentRequired: list,
  experienceYears: text,
  experience: text,
  turnover: text,
  tags: list,
  priority: text,
  visibility: text,
  sourceUrl: text,
};

/** Parses a stored form. Returns `null` if the data is missing or invalid. */
export function parseStoredForm(json: string | null): PublishForm | null {
  if (json === null) return null;
  try {
    const read = z.object(shape).safeParse(JSON.parse(json));
    return read.success ? (read.data as unknown as PublishForm) : null;
  } catch {
    return null;
  }
}
