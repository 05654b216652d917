// The labels of form fields by their paths.

import type { Translate } from "@/i18n/translate.ts";
import type { FieldName, FieldPath, GradeRow, LotRow } from "./form.ts";

type GradePart = keyof GradeRow;
type LotPart = keyof LotRow;

/** The label of a field, with the number of its row in a list. */
function fieldLabel(path: FieldPath, t: Translate): string {
  const [field, row, part] = path.split(".");
  if (row === undefined || part === undefined) return t(`publish.field.${field as FieldName}`);
  const number = Number(row) + 1;
  return field === "lots"
    ? `${t("publish.lot.row", { number })}, ${t(`publish.lot.${part as LotPart}`)}`
    : `${t("publish.grade.row", { number })}, ${t(`publish.grade.${part as GradePart}`)}`;
}

/** The message about a field in a list of messages: with the field's label, unless it contains it. */
export function messageWithLabel(path: FieldPath, message: string, t: Translate): string {
  const label = fieldLabel(path, t);
  const isNamed = message.toLowerCase().includes(label.toLowerCase());
  return isNamed ? message : `${label}: ${message}`;
}
