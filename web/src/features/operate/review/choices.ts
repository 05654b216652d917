// The fields whose values come from a vocabulary.

import { LANGUAGES } from "@/i18n/languages.ts";
import { enumLabel, type Translate } from "@/i18n/translate.ts";
import {
  ALL_DISTRICTS,
  CATEGORIES,
  KINDS,
  ORGANIZATION_TYPES,
  PRIORITIES,
  PROVINCES,
} from "@/shared/tender/vocabulary.ts";

interface Vocabulary {
  values: readonly string[];
  /** The group of the catalogue that has the names. */
  names: Parameters<typeof enumLabel>[1];
}

const VOCABULARIES = {
  category: { values: CATEGORIES, names: "names.category" },
  kind: { values: KINDS, names: "tenders.kind" },
  language: { values: LANGUAGES, names: "tenders.language" },
  priority: { values: PRIORITIES, names: "tenders.priority" },
  organizationType: { values: ORGANIZATION_TYPES, names: "tenders.organizationType" },
  province: { values: PROVINCES, names: "names.province" },
  district: { values: ALL_DISTRICTS, names: "names.district" },
} as const satisfies Record<string, Vocabulary>;

/** A kind of field that is chosen from a list. */
export type ChoiceKind = keyof typeof VOCABULARIES;

export const isChoice = (kind: string): kind is ChoiceKind => Object.hasOwn(VOCABULARIES, kind);

/** The values that a field of this kind may have. */
export const choicesOf = (kind: ChoiceKind): readonly string[] => VOCABULARIES[kind].values;

/** The name of a value, as the portal shows it. */
export const choiceName = (kind: ChoiceKind, value: string, t: Translate): string =>
  enumLabel(t, VOCABULARIES[kind].names, value);
