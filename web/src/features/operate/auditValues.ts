// The values of the audit log in words.

import type { Key, Translate } from "@/i18n/translate.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { fieldName } from "./fieldNames.ts";

/** A moment as the API writes it. */
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/** The name of a value. A reviewer's entry has the paths of the changed fields. */
const nameOf = (name: string, t: Translate) =>
  t(`operate.audit.value.${name}` as Key, { defaultValue: fieldName(name, t) });

const isEmpty = (value: unknown) => value === null || value === undefined || value === "";

function inText(value: unknown, t: Translate): string {
  if (typeof value === "boolean") return t(value ? "operate.audit.yes" : "operate.audit.no");
  if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) return t("operate.audit.nothing");
  if (Array.isArray(value)) return value.map((one: unknown) => inText(one, t)).join(", ");
  if (typeof value === "object") {
    const known = Object.entries(value as object).filter(([, part]) => !isEmpty(part));
    return `(${known.map(([name, part]) => `${nameOf(name, t)}: ${inText(part, t)}`).join(", ")})`;
  }
  return typeof value === "string" && MOMENT.test(value) ? formatMoment(value) : String(value);
}

/** The values of one side of an entry: `Reason: Fraud`. None if the side says only what is not there. */
export function auditValues(values: object | null, t: Translate): string[] {
  const entries = Object.entries(values ?? {});
  if (entries.every(([, value]) => isEmpty(value))) return [];
  return entries.map(([name, value]) => `${nameOf(name, t)}: ${inText(value, t)}`);
}
