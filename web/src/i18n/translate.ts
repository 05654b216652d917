// Translates a key into a language, else into English. Inserts the values and uses the plural form
// for the count. `i18n.ts` knows which language is current.

import type { en } from "./en/index.ts";
import type { Language } from "./languages.ts";

type LeafKeys<Texts, Before extends string = ""> = {
  [Name in keyof Texts & string]: Texts[Name] extends string
    ? `${Before}${Name}`
    : LeafKeys<Texts[Name], `${Before}${Name}.`>;
}[keyof Texts & string];

type KeyStem<Name extends string> = Name extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : Name;

/** Every key of the catalogue. Keys with plural forms are named without their suffix. */
export type Key = KeyStem<LeafKeys<typeof en>>;

/** The beginning of a key, which names a group of texts. */
type KeyGroup<Name extends string = Key> = Name extends `${infer First}.${infer Rest}`
  ? First | `${First}.${KeyGroup<Rest>}`
  : never;

/**
 * The values of a text's variables. `count` also selects the plural form. `defaultValue` replaces a
 * missing text.
 */
export type Values = Record<string, string | number>;

export type Translate = (key: Key, values?: Values) => string;

/** Returns the loaded texts of a language. */
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
 * Creates a function that translates into `language`, with English as the fallback. The function
 * returns the default value or the key if there is no text.
 */
export function createTranslator(language: Language, texts: LoadedTexts): Translate {
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

/** The label of an enum value from the server. A value without a label is returned unchanged. */
export function enumLabel(t: Translate, group: KeyGroup, value: string): string {
  return t(`${group}.${value}` as Key, { defaultValue: value });
}
