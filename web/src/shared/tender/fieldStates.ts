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
 * The paths that are uncertain among those of some fields. The path of a field stands for all paths below it,
 * too: "location" for "location.city".
 */
export function uncertainPaths({ fieldStates }: HasFieldStates, fields: readonly string[]): string[] {
  return Object.keys(fieldStates ?? {}).filter(
    (path) =>
      fieldState({ fieldStates }, path) !== "certain" &&
      fields.some((field) => path === field || path.startsWith(`${field}.`)),
  );
}

/** Whether a field or a part of it is not certain. */
export function isUncertain(tender: HasFieldStates, field: string): boolean {
  return uncertainPaths(tender, [field]).length > 0;
}

/**
 * The fields that a message can name as uncertain, the most important first. Each has the key of
 * its name, and its path.
 */
const FIELD_NAMES = [
  ["closing", CLOSING_PATH],
  ["title", "title"],
  ["organization", "organization.name"],
  ["reference", "referenceNo"],
  ["category", "category"],
  ["place", "location"],
  ["bidSecurity", "financials.bidBond"],
  ["documentFee", "documentFee.amount"],
  ["grades", "cida"],
] as const;

export type NamedField = (typeof FIELD_NAMES)[number][0];

/**
 * The fields by which a reader of a list decides. The tender's page names the others too. Closing, place and
 * category are not among them, because their doubt stands beside their values.
 */
export const CARD_FIELDS: readonly NamedField[] = ["title", "organization", "bidSecurity", "documentFee"];

/** The names of the uncertain fields among `FIELD_NAMES`, or among `only`. */
export function uncertainNames(tender: HasFieldStates, t: Translate, only?: readonly NamedField[]): string[] {
  return FIELD_NAMES.filter(
    ([name, path]) => (only?.includes(name) ?? true) && uncertainPaths(tender, [path]).length > 0,
  ).map(([name]) => t(`tenders.doubt.field.${name}`));
}
