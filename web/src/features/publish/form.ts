// The values of the tender form, and their conversion from a tender.

import type { Path } from "react-hook-form";
import type { Tender, User } from "@/api/types.ts";
import { dayOf, timeOf } from "@/shared/format/dates.ts";

/** A contractor grade that bidders need. */
export interface GradeRow {
  grade: string;
  /** The field of work. */
  field: string;
  /** `higher` or `lower` if these grades may bid too; otherwise empty. */
  alsoAdmits: string;
}

export interface LotRow {
  number: string;
  title: string;
  bidBond: string;
  bidBondUnit: string;
}

/** The unit of a bond that is a percentage of the bid. Any other unit is a currency. */
export const PERCENT = "percent";

/** The values of all form fields. Numbers are stored as the user typed them. */
export interface PublishForm {
  title: string;
  description: string;
  referenceNo: string;
  category: string;
  subcategory: string;
  method: string;
  lots: LotRow[];
  organizationName: string;
  organizationType: string;
  contactName: string;
  contactEmail: string;
  contactPhone: string;
  grades: GradeRow[];
  criteria: string[];
  documentRequired: string[];
  experienceYears: string;
  experience: string;
  turnover: string;
  estimatedValue: string;
  currency: string;
  bidBond: string;
  /** `percent` or a currency. */
  bidBondUnit: string;
  performanceBond: string;
  /** `percent` or a currency. */
  performanceBondUnit: string;
  fee: string;
  feeCurrency: string;
  /** `YYYY-MM-DD`, or empty. */
  saleFrom: string;
  /** `YYYY-MM-DD`, or empty. */
  saleUntil: string;
  salePlace: string;
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
  /** `YYYY-MM-DD`, or empty. */
  preBidDay: string;
  /** `HH:MM`, or empty. */
  preBidHour: string;
  preBidPlace: string;
  submissionMethods: string[];
  submissionPlace: string;
  tags: string[];
  priority: string;
  visibility: string;
  sourceUrl: string;
}

export type FieldName = keyof PublishForm;

/** The path of a field, such as `title` or `lots.0.title`. */
export type FieldPath = Path<PublishForm>;

export const BLANK_GRADE: GradeRow = { grade: "", field: "", alsoAdmits: "" };
export const BLANK_LOT: LotRow = { number: "", title: "", bidBond: "", bidBondUnit: "LKR" };

/**
 * The initial form of a new tender. The organisation, its contact and its place are those of the publisher's
 * latest tender, if there is one; otherwise the account tells what it can.
 */
export function blankForm(user: User, today: string, latest: Tender | null = null): PublishForm {
  const { organization, location } = latest ?? {};
  const { name, email, phone } = organization?.contactPerson ?? {};
  const contact =
    name || email || phone
      ? { name, email, phone }
      : { name: `${user.firstName} ${user.lastName}`.trim(), email: user.email, phone: user.phone };
  return {
    title: "",
    description: "",
    referenceNo: "",
    category: "",
    subcategory: "",
    method: "",
    lots: [],
    organizationName: organization?.name || (user.company ?? ""),
    organizationType: organization?.type ?? "private",
    contactName: contact.name ?? "",
    contactEmail: contact.email ?? "",
    contactPhone: contact.phone ?? "",
    grades: [],
    criteria: [],
    documentRequired: [],
    experienceYears: "",
    experience: "",
    turnover: "",
    estimatedValue: "",
    currency: "LKR",
    bidBond: "",
    bidBondUnit: PERCENT,
    performanceBond: "",
    performanceBondUnit: PERCENT,
    fee: "",
    feeCurrency: "LKR",
    saleFrom: "",
    saleUntil: "",
    salePlace: "",
    province: location?.province ?? "",
    district: location?.district ?? "",
    city: location?.city ?? "",
    published: today,
    closingDay: "",
    closingHour: "",
    openingDay: "",
    openingHour: "",
    preBidDay: "",
    preBidHour: "",
    preBidPlace: "",
    submissionMethods: [],
    submissionPlace: "",
    tags: [],
    priority: "medium",
    visibility: "public",
    sourceUrl: "",
  };
}

type Bond = NonNullable<NonNullable<Tender["financials"]>["bidBond"]>;

const numberText = (value: number | null | undefined) => (value == null ? "" : String(value));

/** The value and the unit of a bond in the form. */
function bondFields(bond: Bond | null | undefined, blankUnit = PERCENT): { value: string; unit: string } {
  if (bond?.amount != null) return { value: numberText(bond.amount), unit: bond.currency ?? "LKR" };
  if (bond?.percentage != null) return { value: numberText(bond.percentage), unit: PERCENT };
  return { value: "", unit: blankUnit };
}

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** The day and the time of a moment. A draft may have a day without a time. */
function momentFields(moment: string | null | undefined): { day: string; hour: string } {
  if (moment && DAY_PATTERN.test(moment)) return { day: moment, hour: "" };
  return { day: dayOf(moment), hour: timeOf(moment) };
}

function lotRow({ number, title, bidBond }: NonNullable<Tender["lots"]>[number]): LotRow {
  const bond = bondFields(bidBond, BLANK_LOT.bidBondUnit);
  return { number: number ?? "", title: title ?? "", bidBond: bond.value, bidBondUnit: bond.unit };
}

/** A tender. A draft also has the input as typed, because its record lacks invalid input. */
type TenderWithInput = Tender & { draftInput?: Record<string, unknown> | null };

/** Converts a tender to form values. A draft shows the input as typed, except its dates. */
export function toForm({ draftInput, ...record }: TenderWithInput): PublishForm {
  const tender = { ...record, ...draftInput, dates: record.dates } as Tender;
  const { organization, location, dates, financials, eligibility, documentFee, preBid, submission } = tender;
  const person = organization?.contactPerson;
  const bidBond = bondFields(financials?.bidBond);
  const performanceBond = bondFields(financials?.performanceBond);
  const meeting = momentFields(preBid?.at);
  return {
    title: tender.title,
    description: tender.description ?? "",
    referenceNo: tender.referenceNo ?? "",
    category: tender.category ?? "",
    subcategory: tender.subcategory ?? "",
    method: tender.method ?? "",
    lots: (tender.lots ?? []).map(lotRow),
    organizationName: organization?.name ?? "",
    organizationType: organization?.type ?? "",
    contactName: person?.name ?? "",
    contactEmail: person?.email ?? "",
    contactPhone: person?.phone ?? "",
    grades: (tender.cida ?? []).map(({ grade, field, alsoAdmits }) => ({
      grade: grade ?? "",
      field: field ?? "",
      alsoAdmits: alsoAdmits ?? "",
    })),
    criteria: eligibility?.criteria ?? [],
    documentRequired: eligibility?.documentRequired ?? [],
    experienceYears: numberText(eligibility?.experience?.years),
    experience: eligibility?.experience?.description ?? "",
    turnover: numberText(eligibility?.turnover?.minimum),
    estimatedValue: numberText(financials?.estimatedValue?.amount),
    currency: financials?.estimatedValue?.currency ?? "LKR",
    bidBond: bidBond.value,
    bidBondUnit: bidBond.unit,
    performanceBond: performanceBond.value,
    performanceBondUnit: performanceBond.unit,
    fee: numberText(documentFee?.amount),
    feeCurrency: documentFee?.currency ?? "LKR",
    saleFrom: documentFee?.saleFrom ?? "",
    saleUntil: documentFee?.saleUntil ?? "",
    salePlace: documentFee?.place ?? "",
    province: location?.province ?? "",
    district: location?.district ?? "",
    city: location?.city ?? "",
    published: dayOf(dates?.published),
    closingDay: dayOf(dates?.closing),
    closingHour: timeOf(dates?.closing),
    openingDay: dayOf(dates?.opening),
    openingHour: timeOf(dates?.opening),
    preBidDay: meeting.day,
    preBidHour: meeting.hour,
    preBidPlace: preBid?.place ?? "",
    submissionMethods: submission?.methods ?? [],
    submissionPlace: submission?.place ?? "",
    tags: tender.tags ?? [],
    priority: tender.priority ?? "medium",
    visibility: tender.visibility ?? "public",
    sourceUrl: tender.sourceUrl ?? "",
  };
}
