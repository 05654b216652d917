// Parses the form that the browser stored. It may be from an earlier version of the app, or changed
// by the user.

import { z } from "zod";
import { type FieldName, PERCENT, type PublishForm } from "./form.ts";
import { STEPS, type Step } from "./steps.ts";

z.config({ jitless: true });

/** The form and the step that was open. */
export interface StoredForm {
  form: PublishForm;
  step: Step;
}

const text = z.string().max(30_000);
/** A text that earlier versions of the app did not have. */
const newer = (otherwise = "") => text.default(otherwise);
const list = z.array(z.string().max(1000)).max(60);
const grade = z.object({ grade: text, field: text, alsoAdmits: text });
const lot = z.object({ number: text, title: text, bidBond: text, bidBondUnit: text });

const shape = {
  title: text,
  description: text,
  referenceNo: text,
  category: text,
  subcategory: text,
  method: newer(),
  lots: z.array(lot).max(200).default([]),
  organizationName: text,
  organizationType: text,
  contactName: text,
  contactEmail: text,
  contactPhone: text,
  grades: z.array(grade).max(60).default([]),
  criteria: list,
  documentRequired: list,
  experienceYears: text,
  experience: text,
  turnover: text,
  estimatedValue: text,
  currency: text,
  bidBond: text,
  bidBondUnit: newer(PERCENT),
  performanceBond: text,
  performanceBondUnit: newer(PERCENT),
  fee: newer(),
  feeCurrency: newer("LKR"),
  saleFrom: newer(),
  saleUntil: newer(),
  salePlace: newer(),
  province: text,
  district: text,
  city: text,
  published: text,
  closingDay: text,
  closingHour: text,
  openingDay: text,
  openingHour: text,
  preBidDay: newer(),
  preBidHour: newer(),
  preBidPlace: newer(),
  submissionMethods: list.default([]),
  submissionPlace: newer(),
  tags: list,
  priority: text,
  visibility: text,
  sourceUrl: text,
} satisfies Record<FieldName, z.ZodType>;

const stored = z.object({ ...shape, step: z.enum(STEPS).catch("what") });

/** Parses a stored form. Returns `null` if the data is missing or invalid. */
export function parseStoredForm(json: string | null): StoredForm | null {
  if (json === null) return null;
  try {
    const read = stored.safeParse(JSON.parse(json));
    if (!read.success) return null;
    const { step, ...form } = read.data;
    return { form, step };
  } catch {
    return null;
  }
}
