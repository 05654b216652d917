// Translates a key: its text in the page's language, else in English, with the plural for its count
// and its variables. It does not know which language is current.

import type { en } from "./en/index.ts";
import type { Language } from "./languages.ts";

type Leaves<Texts, Before extends string = ""> = {
  [Name in keyof Texts & string]: Texts[Name] extends string
    ? `${Before}${Name}`
    : Leaves<Texts[Name], `${Before}${Name}.`>;
}[keyof Texts & string];

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

function findText(texts: object, key: string): string | undefined {
  let found: unknown = texts;
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
export function translator(language: Language, texts: LoadedTexts): Translate {
  return (key, values) => {
    const count = values?.count;
    for (const spoken of [language, "en"] as const) {
      const keys =
        typeof count === "number" ? [`${key}_${pluralOf(spoken, count)}`, `${key}_other`, key] : [key];
      for (const candidate of keys) {
        const text = findText(texts(spoken), candidate);
        if (text !== undefined) return interpolate(text, values);
      }
    }
    return values?.defaultValue === undefined ? key : String(values.defaultValue);
  };
}

/** The label of an enum value from the server. A value without a label is shown as it is. */
export function enumLabel(t: Translate, group: Group, value: string): string {
  return t(`${group}.${value}` as Key, { defaultValue: value });
}
