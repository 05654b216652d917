// The grades that a notice asks for, in words.

import type { Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";

/** A grade that a notice asks for, with its field of work and the other grades that it admits. */
export function gradeText(asked: NonNullable<Tender["cida"]>[number], t: Translate): string {
  const { grade, field, alsoAdmits } = asked;
  const grades = alsoAdmits ? t(`tenders.bidding.grades.${alsoAdmits}`, { grade }) : grade;
  return field ? `${grades} (${field})` : grades;
}
