// The page's language and texts. The bundle has the English texts of the first page. The texts of
// other pages load with the first of these pages, and other languages load when they are needed.
// English replaces missing texts.

import { useSyncExternalStore } from "react";
import { type CataloguePart, catalogueLoaders } from "./catalogues.ts";
import { first } from "./en/first.ts";
import { type Language, languageFor, languageNames, storedLanguage, storeLanguage } from "./languages.ts";
import { createTranslator, type Translate } from "./translate.ts";

/** How long the first page waits for its language at most, in milliseconds. */
const MAX_WAIT_MS = 4000;

const catalogues: Record<Language, object> = { en: first, si: {}, ta: {} };

const translators: Record<Language, Translate> = {
  en: createTranslator("en", (language) => catalogues[language]),
  si: createTranslator("si", (language) => catalogues[language]),
  ta: createTranslator("ta", (language) => catalogues[language]),
};

let current: Language = "en";
const listeners = new Set<() => void>();

/** The current language of the page. */
export function currentLanguage(): Language {
  return current;
}

/**
 * The text of a key in the page's language. Components use [`useTranslation`], which renders them
 * again when the language changes.
 */
export const t: Translate = (key, values) => translators[current](key, values);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The page's language and its `t`. Each language has its own function `t`. */
export function useTranslation(): { t: Translate; language: Language } {
  const language = useSyncExternalStore(subscribe, currentLanguage);
  return { t: translators[language], language };
}

/** Loads that are complete or in progress. A failed load is removed, so that it can be repeated. */
const loads = new Map<string, Promise<void>>();

function importPart(language: Language, part: CataloguePart): Promise<object> {
  if (language !== "en") return catalogueLoaders[language][part]();
  return part === "pages" ? catalogueLoaders.en.pages() : Promise.resolve(first);
}

function loadPart(language: Language, part: CataloguePart): Promise<void> {
  const key = `${language} ${part}`;
  const pending = loads.get(key);
  if (pending) return pending;
  const loading = importPart(language, part).then((more) => {
    catalogues[language] = { ...catalogues[language], ...more };
  });
  loads.set(key, loading);
  loading.catch(() => loads.delete(key));
  return loading;
}

/** The catalogue parts that the opened pages need. */
const neededParts = new Set<CataloguePart>(["first"]);

/**
 * The language that was requested last. A catalogue that loads late does not override a later
 * choice.
 */
let requested: Language = "en";

async function switchLanguage(language: Language): Promise<void> {
  requested = language;
  await Promise.all([...neededParts].map((part) => loadPart(language, part)));
  if (requested !== language) return;
  current = language;
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

/** Loads the texts of all pages but Home in English, and if possible in the page's language. */
export async function loadPageTexts(): Promise<void> {
  neededParts.add("pages");
  const language = requested;
  const translated = loadPart(language, "pages").catch((error: unknown) => {
    console.warn(`The texts could not be loaded in ${languageNames[language]}.`, error);
  });
  await Promise.all([loadPart("en", "pages"), translated]);
}

/** Loads the texts of the pages for administrators, which are English, and the texts of all pages. */
export async function loadOperateTexts(): Promise<void> {
  const texts =
    loads.get("operate") ??
    catalogueLoaders.en.operate().then((more) => {
      catalogues.en = { ...catalogues.en, ...more };
    });
  loads.set("operate", texts);
  texts.catch(() => loads.delete("operate"));
  await Promise.all([loadPageTexts(), texts]);
}

/**
 * Changes the language and stores the choice, unless a later choice was made in the meantime. Throws
 * if the catalogue can't be loaded; the page then keeps its language.
 */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    await switchLanguage(language);
  } catch (error) {
    if (requested === language) requested = current;
    throw error;
  }
  if (requested === language) storeLanguage(language);
}

/**
 * Sets the language before the first page renders. After `maxWaitMs`, or if the catalogue can't be
 * loaded, the page starts in English. A catalogue that loads later is still applied.
 */
export async function startLanguage(maxWaitMs = MAX_WAIT_MS): Promise<void> {
  const language = languageFor(storedLanguage(), navigator.languages);
  if (language === "en") return;
  const loaded = switchLanguage(language).catch((error: unknown) => {
    if (requested === language) requested = current;
    console.warn(`The texts could not be loaded in ${languageNames[language]}.`, error);
  });
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]);
}
