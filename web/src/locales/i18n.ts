// The catalogue of words: how a key finds its text, and how the text changes its language. English is built in and
// stands in for what another language lacks; the others are loaded when they are chosen.

import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en/index.ts";
import {
  isLanguage,
  type Language,
  languageFor,
  languageNames,
  rememberedLanguage,
  rememberLanguage,
} from "./languages.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en };
  }
}

/** The longest that the first page waits for its language, in milliseconds. */
const PATIENCE = 4000;

const loaders: Record<Exclude<Language, "en">, () => Promise<object>> = {
  si: async () => (await import("./si/index.ts")).si,
  ta: async () => (await import("./ta/index.ts")).ta,
};

void i18next.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  resources: { en: { translation: en } },
  // React escapes what it renders.
  interpolation: { escapeValue: false },
});

i18next.on("languageChanged", (language) => {
  document.documentElement.lang = language;
});

/** The language that the page speaks now. */
export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : "en";
}

/** The language asked for last: a catalogue that comes late does not undo a later choice. */
let wanted: Language = "en";

async function speak(language: Language): Promise<void> {
  wanted = language;
  if (language !== "en" && !i18next.hasResourceBundle(language, "translation")) {
    i18next.addResourceBundle(language, "translation", await loaders[language]());
  }
  if (wanted === language) await i18next.changeLanguage(language);
}

/** Changes the language and remembers it. Fails when its catalogue cannot be loaded: the page then stays as it was. */
export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language);
  rememberLanguage(language);
}

/**
 * Sets the language of the first page, so that no other is seen before it. After `patience` milliseconds, or when the
 * catalogue cannot be loaded, the page begins in English; a catalogue that comes later is still taken.
 */
export async function startLanguage(patience = PATIENCE): Promise<void> {
  const language = languageFor(rememberedLanguage(), navigator.languages);
  if (language === "en") return;
  const spoken = speak(language).catch((error: unknown) => {
    console.warn(`The page could not be had in ${languageNames[language]}.`, error);
  });
  await Promise.race([spoken, new Promise((resolve) => setTimeout(resolve, patience))]);
}

export { i18next };
