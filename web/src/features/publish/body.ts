// The request body that the tender form sends.

import type { components } from "@/api/schema.gen.ts";
import { type LotRow, PERCENT, type PublishForm } from "./form.ts";

type TenderBody = components["schemas"]["TenderForm"];

/**
 * Parses a number as people type it: `1,500.50`. Returns `null` for blank input and `NaN` for
 * invalid input.
 */
export function parseNumber(text: string): number | null {
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
export function toMoment(day: string, hour: string): string {
  return day === "" || hour === "" ? day : `${day}T${hour}:00+05:30`;
}

/** A bond as a percentage or as an amount in a currency. */
function toBond(value: string, unit: string) {
  const number = numberOrInput(value);
  return unit === PERCENT ? { percentage: number } : { amount: number, currency: unit };
}

const orNull = (text: string) => (text.trim() === "" ? null : text);

/** Whether nothing is entered in a row of a list. */
export function isBlankRow(row: object): boolean {
  return Object.entries(row).every(([name, value]) => String(value).trim() === "" || name === "bidBondUnit");
}

function toLot({ number, title, bidBond, bidBondUnit }: LotRow) {
  const isRequired = bidBond.trim() !== "";
  return { number: orNull(number), title, bidBond: isRequired ? toBond(bidBond, bidBondUnit) : null };
}

function toDocumentFee({ fee, feeCurrency, saleFrom, saleUntil, salePlace }: PublishForm) {
  const place = orNull(salePlace);
  const isBlank = fee.trim() === "" && saleFrom === "" && saleUntil === "" && place === null;
  if (isBlank) return {};
  return {
    amount: numberOrInput(fee),
    currency: feeCurrency,
    saleFrom: orNull(saleFrom),
    saleUntil: orNull(saleUntil),
    place,
  };
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
    method: form.method,
    // A blank row stays, because the server names rows by their number.
    lots: form.lots.map((lot) => (isBlankRow(lot) ? {} : toLot(lot))),
    cida: form.grades.map((row) =>
      isBlankRow(row)
        ? {}
        : { grade: row.grade, field: orNull(row.field), alsoAdmits: orNull(row.alsoAdmits) },
    ),
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
    preBid: {
      at: orNull(toMoment(form.preBidDay, form.preBidHour)),
      place: orNull(form.preBidPlace),
    },
    submission: { methods: form.submissionMethods, place: orNull(form.submissionPlace) },
    documentFee: toDocumentFee(form),
    financials: {
      estimatedValue: amount === null ? null : { amount, currency: form.currency },
      bidBond: toBond(form.bidBond, form.bidBondUnit),
      performanceBond: toBond(form.performanceBond, form.performanceBondUnit),
    },
    eligibility: {
      criteria: form.criteria,
      documentRequired: form.documentRequired,
      experience: { years, description: form.experience },
      turnover: minimum === null ? null : { minimum },
    },
  };
}
