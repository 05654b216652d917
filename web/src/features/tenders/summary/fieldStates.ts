// How reliably each field of a tender was read: certain, doubtful, or not read.

import { enumValues, parseEnum } from "@/api/enums.ts";
import type { components } from "@/api/schema.gen.ts";
import type { Translate } from "@/i18n/translate.ts";

export type FieldState = components["schemas"]["BTreeMap"][string];

const FIELD_STATES = enumValues<FieldState>()("certain", "doubtful", "not-read");

/** A tender, or the summary of a locked one. */
type HasFieldStates = { fieldStates?: Record<string, string> | null };

/** The path of the closing. */
export const CLOSING = "dates.closing";

/** The state of a field. Fields that the server does not list are certain. */
export function fieldState({ fieldStates }: HasFieldStates, path: string): FieldState {
  return parseEnum(FIELD_STATES, fieldStates?.[path]) ?? "certain";
}

/** The field names in sentences, the most important first, with their paths or path prefixes. */
const FIELD_NAMES = [
  ["closing", CLOSING],
  ["title", "title"],
  ["organization", "organization.name"],
  ["reference", "referenceNo"],
  ["category", "category"],
  ["place", "location."],
  ["bidSecurity", "financials.bidBond."],
  ["documentFee", "documentFee.amount"],
  ["grades", "cida"],
] as const;

/** The names of the uncertain fields, each once. */
export function uncertainNames({ fieldStates }: HasFieldStates, t: Translate): string[] {
  const paths = Object.keys(fieldStates ?? {});
  const isNamed = (prefix: string) =>
    paths.some((path) => (prefix.endsWith(".") ? path.startsWith(prefix) : path === prefix));
  return FIELD_NAMES.filter(([, prefix]) => isNamed(prefix)).map(([name]) =>
    t(`tenders.doubt.field.${name}`),
  );
}
