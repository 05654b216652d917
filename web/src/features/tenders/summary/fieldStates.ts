// How reliably each field of a tender was read: certain, doubtful, or not read.

import { enumValues, parseEnum } from "@/api/enums.ts";
import type { components } from "@/api/schema.gen.ts";
import type { Translate } from "@/i18n/translate.ts";

export type FieldState = components["schemas"]["BTreeMap"][string];

const FIELD_STATES = enumValues<FieldState>()("certain", "doubtful", "not-read");

/** A tender, or the summary of a locked one. */
type HasFieldStates = { fieldStates?: Record<string, string> | null };

/** The path of the closing time. */
export const CLOSING_PATH = "dates.closing";

/** The state of the field at a path. A field that the server does not list is certain. */
export function fieldState({ fieldStates }: HasFieldStates, path: string): FieldState {
  return parseEnum(FIELD_STATES, fieldStates?.[path]) ?? "certain";
}

/**
 * The fields that a message can name as uncertain, the most important first. Each has the key of
 * its name, and its path. A path that ends with a dot stands for all paths that begin with it.
 */
const FIELD_NAMES = [
  ["closing", CLOSING_PATH],
  ["title", "title"],
  ["organization", "organization.name"],
  ["reference", "referenceNo"],
  ["category", "category"],
  ["place", "location."],
  ["bidSecurity", "financials.bidBond."],
  ["documentFee", "documentFee.amount"],
  ["grades", "cida"],
] as const;

export type NamedField = (typeof FIELD_NAMES)[number][0];

/**
 * The fields by which a reader of a list decides. The tender's page names the others too. The closing is not
 * among them, because its doubt stands beside its date.
 */
export const CARD_FIELDS: readonly NamedField[] = ["title", "bidSecurity", "documentFee"];

/** The names of the uncertain fields among `FIELD_NAMES`, or among `only`. */
export function uncertainNames(
  { fieldStates }: HasFieldStates,
  t: Translate,
  only?: readonly NamedField[],
): string[] {
  const paths = Object.keys(fieldStates ?? {});
  const isListed = (prefix: string) =>
    paths.some((path) => (prefix.endsWith(".") ? path.startsWith(prefix) : path === prefix));
  return FIELD_NAMES.filter(([name, prefix]) => (only?.includes(name) ?? true) && isListed(prefix)).map(
    ([name]) => t(`tenders.doubt.field.${name}`),
  );
}
