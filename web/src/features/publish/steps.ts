// The steps of the tender form, and the fields of each step in their order.

import type { FieldName, FieldPath, PublishForm } from "./form.ts";

export const STEPS = ["what", "bidders", "money", "dates", "attachments", "preview"] as const;

export type Step = (typeof STEPS)[number];

/** The step of each field. The fields are in the order in which the form shows them. */
const STEP_OF_FIELD: Record<FieldName, Step> = {
  title: "what",
  description: "what",
  referenceNo: "what",
  category: "what",
  subcategory: "what",
  method: "what",
  lots: "what",
  organizationName: "what",
  organizationType: "what",
  contactName: "what",
  contactEmail: "what",
  contactPhone: "what",
  grades: "bidders",
  criteria: "bidders",
  documentRequired: "bidders",
  experienceYears: "bidders",
  turnover: "bidders",
  experience: "bidders",
  estimatedValue: "money",
  currency: "money",
  bidBond: "money",
  bidBondUnit: "money",
  performanceBond: "money",
  performanceBondUnit: "money",
  fee: "money",
  feeCurrency: "money",
  saleFrom: "money",
  saleUntil: "money",
  salePlace: "money",
  province: "dates",
  district: "dates",
  city: "dates",
  published: "dates",
  closingDay: "dates",
  closingHour: "dates",
  openingDay: "dates",
  openingHour: "dates",
  preBidDay: "dates",
  preBidHour: "dates",
  preBidPlace: "dates",
  submissionMethods: "dates",
  submissionPlace: "dates",
  tags: "attachments",
  priority: "attachments",
  visibility: "attachments",
  sourceUrl: "attachments",
};

const FIELD_ORDER = Object.keys(STEP_OF_FIELD) as FieldName[];

/** The top-level field of a path: `lots` for `lots.0.title`. */
export function fieldOf(path: FieldPath): FieldName {
  return path.split(".")[0] as FieldName;
}

export function stepOf(path: FieldPath): Step {
  return STEP_OF_FIELD[fieldOf(path)];
}

/** The row of a path: 1 for `lots.1.title`, 0 for a field without rows. */
function rowOf(path: FieldPath): number {
  return Number(path.split(".")[1] ?? 0);
}

/** Compares two paths by the place of their fields in the form. */
export function comparePaths(one: FieldPath, other: FieldPath): number {
  const order = FIELD_ORDER.indexOf(fieldOf(one)) - FIELD_ORDER.indexOf(fieldOf(other));
  return order || rowOf(one) - rowOf(other);
}

/** Whether the form has a field of this name. */
export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(STEP_OF_FIELD, name);
}

/** The step before or after a step; `null` if there is none. */
export function neighbourOf(step: Step, offset: 1 | -1): Step | null {
  return STEPS[STEPS.indexOf(step) + offset] ?? null;
}

/** The field that gets the focus for a path. The district can only be chosen after the province. */
export function focusTarget(path: FieldPath, form: PublishForm): FieldPath {
  return path === "district" && form.province === "" ? "province" : path;
}
