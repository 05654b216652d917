// The tender as readers will see it once it is published, with the status that it has now. Invalid input is
// left out.

import type { Tender } from "@/api/types.ts";
import { isBlankRow, parseNumber, toMoment } from "./body.ts";
import { type LotRow, PERCENT, type PublishForm } from "./form.ts";
import type { Attachment } from "./useAttachments.ts";

/** A number; `undefined` if the input is blank or invalid. */
function validNumber(text: string): number | undefined {
  const number = parseNumber(text);
  return number === null || Number.isNaN(number) ? undefined : number;
}

const orUndefined = (text: string) => (text.trim() === "" ? undefined : text.trim());

function bond(value: string, unit: string) {
  const number = validNumber(value);
  if (number === undefined) return { required: false };
  const required = number > 0;
  return unit === PERCENT ? { required, percentage: number } : { required, amount: number, currency: unit };
}

/** The last second of the day stands for a closing day without an hour. */
function closing({ closingDay, closingHour }: PublishForm): string | undefined {
  if (closingDay === "") return undefined;
  return closingHour === "" ? `${closingDay}T23:59:59+05:30` : toMoment(closingDay, closingHour);
}

/** A moment; a day without an hour is its first second. */
function moment(day: string, hour: string): string | undefined {
  return day === "" ? undefined : toMoment(day, hour || "00:00");
}

function lot({ number, title, bidBond, bidBondUnit }: LotRow) {
  return { number: orUndefined(number), title: title.trim(), bidBond: bond(bidBond, bidBondUnit) };
}

function documentFee(form: PublishForm): Tender["documentFee"] {
  const fee = {
    amount: validNumber(form.fee),
    saleFrom: orUndefined(form.saleFrom),
    saleUntil: orUndefined(form.saleUntil),
    place: orUndefined(form.salePlace),
  };
  const isBlank = Object.values(fee).every((value) => value === undefined);
  return isBlank ? undefined : { ...fee, currency: form.feeCurrency };
}

function submission({ submissionMethods, submissionPlace }: PublishForm) {
  const place = orUndefined(submissionPlace);
  return submissionMethods.length > 0 || place ? { methods: submissionMethods, place } : undefined;
}

/** The attached documents and those that will be attached. */
function documents(attachments: readonly Attachment[]): Tender["documents"] {
  const kept = attachments.filter(({ file, id }) => file !== null || id !== null);
  return kept.map(({ key, name, size }) => ({ _id: key, name, size, type: "", hasText: false }));
}

export function previewTender(
  form: PublishForm,
  attachments: readonly Attachment[],
  status: Tender["status"],
): Tender {
  const value = validNumber(form.estimatedValue);
  const minimum = validNumber(form.turnover);
  const years = validNumber(form.experienceYears);
  const experience = { years, description: orUndefined(form.experience) };
  const meeting = { at: moment(form.preBidDay, form.preBidHour), place: orUndefined(form.preBidPlace) };
  const tender = {
    title: form.title.trim(),
    description: form.description.trim(),
    referenceNo: orUndefined(form.referenceNo),
    category: orUndefined(form.category),
    subcategory: orUndefined(form.subcategory),
    method: orUndefined(form.method),
    status,
    kind: "purchase",
    publishedBy: "organisation",
    priority: form.priority,
    visibility: form.visibility,
    sourceUrl: orUndefined(form.sourceUrl),
    tags: form.tags,
    organization: {
      name: form.organizationName.trim(),
      type: orUndefined(form.organizationType),
      contactPerson: {
        name: orUndefined(form.contactName),
        email: orUndefined(form.contactEmail),
        phone: orUndefined(form.contactPhone),
      },
    },
    location: {
      province: orUndefined(form.province),
      district: orUndefined(form.district),
      city: orUndefined(form.city),
    },
    dates: {
      published: moment(form.published, ""),
      closing: closing(form),
      opening: moment(form.openingDay, form.openingHour),
    },
    preBid: meeting.at || meeting.place ? meeting : undefined,
    submission: submission(form),
    documentFee: documentFee(form),
    cida: form.grades
      .filter(({ grade }) => grade !== "")
      .map(({ grade, field, alsoAdmits }) => ({
        grade,
        field: orUndefined(field),
        alsoAdmits: orUndefined(alsoAdmits),
      })),
    lots: form.lots.filter((row) => !isBlankRow(row)).map(lot),
    financials: {
      estimatedValue: value === undefined ? undefined : { amount: value, currency: form.currency },
      bidBond: bond(form.bidBond, form.bidBondUnit),
      performanceBond: bond(form.performanceBond, form.performanceBondUnit),
    },
    eligibility: {
      criteria: form.criteria,
      documentRequired: form.documentRequired,
      experience: years !== undefined || experience.description ? experience : undefined,
      turnover: minimum === undefined ? undefined : { minimum, currency: "LKR" },
    },
    documents: documents(attachments),
  };
  return tender as Tender;
}
