// Translates a key: its text in the page's language, else in English, with the plural for its count
// and its variables. It does not know which language is current.

import type { en } from "./en/index.ts";
import type { Language } from "./languages.ts";

type Leaves<Words, Before extends string = ""> = {
  [Name in keyof Words & string]: Words[Name] extends string
    ? `${Before}${Name}`
    : Leaves<Words[Name], `${Before}${Name}.`>;
}[keyof Words & string];

type Singular<Name extends string> = Name extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : Name;

/** Every key of the catalogue. Keys with plural forms are named without their suffix. */
export type Key = Singular<Leaves<typeof en>>;

/** A group of the catalogue: the beginning of a key. */
type Group<Name extends string = Key> = Name extends `${infer First}.${infer Rest}`
  ? First | `${First}.${Group<Rest>}`
  : never;

/** The variables. `count` selects the plural form. `defaultValue` replaces a missing text. */
export type Values = Record<string, string | number>;

export type Translate = (key: Key, values?: Values) => string;

/** The loaded texts of a language. */
export type LoadedTexts = (language: Language) => object;

function findText(words: object, key: string): string | undefined {
  let found: unknown = words;
  for (const name of key.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return typeof found === "string" ? found : undefined;
}

const plurals: Partial<Record<Language, Intl.PluralRules>> = {};

function pluralOf(language: Language, count: number): Intl.LDMLPluralRule {
  plurals[language] ??= new Intl.PluralRules(language);
  return plurals[language].select(count);
}

function interpolate(text: string, values: Values | undefined): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values?.[name] ?? ""));
}

/**
 * Translates into `language`, with English as the fallback. Returns the key if there is no text.
 */
export function translator(language: Language, words: LoadedTexts): Translate {
  return (key, values) => {
    const count = values?.count;
    for (const spoken of [language, "en"] as const) {
      const keys =
        typeof count === "number" ? [`${key}_${pluralOf(spoken, count)}`, `${key}_other`, key] : [key];
      for (const candidate of keys) {
        const text = findText(words(spoken), candidate);
        if (text !== undefined) return interpolate(text, values);
      }
    }
    return values?.defaultValue === undefined ? key : String(values.defaultValue);
  };
}

/** The text of a word from the server. A word without a text is shown as it is. */
export function enumLabel(t: Translate, group: Group, word: string): string {
  return t(`${group}.${word}` as Key, { defaultValue: word });
}
