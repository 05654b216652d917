// The words of the page, and the language they are in. The English words of the first page are built in; the other pages'
// come with the first of them, and another language's when it is chosen. English stands in for what another lacks.

import { useSyncExternalStore } from "react";
import { files, type Part } from "./catalogues.ts";
import { first } from "./en/first.ts";
import {
  type Language,
  languageFor,
  languageNames,
  rememberedLanguage,
  rememberLanguage,
} from "./languages.ts";
import { type Translate, translator } from "./translate.ts";

/** The longest that the first page waits for its language, in milliseconds. */
const PATIENCE = 4000;

const words: Record<Language, object> = { en: first, si: {}, ta: {} };

const translators: Record<Language, Translate> = {
  en: translator("en", (language) => words[language]),
  si: translator("si", (language) => words[language]),
  ta: translator("ta", (language) => words[language]),
};

let spoken: Language = "en";
const listeners = new Set<() => void>();

/** The language that the page speaks now. */
export function currentLanguage(): Language {
  return spoken;
}

/** The words of a key in the page's language. In a component, [`useTranslation`] renders it anew when that changes. */
export const t: Translate = (key, values) => translators[spoken](key, values);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The page's language, and its words for a key: another `t` for each language. */
export function useTranslation(): { t: Translate; language: Language } {
  const language = useSyncExternalStore(subscribe, currentLanguage);
  return { t: translators[language], language };
}

/** What is loaded, or being loaded; what failed is tried again when it is next needed. */
const loads = new Map<string, Promise<void>>();

function read(language: Language, part: Part): Promise<object> {
  if (language !== "en") return files[language][part]();
  return part === "pages" ? files.en.pages() : Promise.resolve(first);
}

function load(language: Language, part: Part): Promise<void> {
  const key = `${language} ${part}`;
  const begun = loads.get(key);
  if (begun) return begun;
  const loading = read(language, part).then((more) => {
    words[language] = { ...words[language], ...more };
  });
  loads.set(key, loading);
  loading.catch(() => loads.delete(key));
  return loading;
}

/** The parts that are on the screen, or about to be. */
const parts = new Set<Part>(["first"]);

/** The language asked for last: a catalogue that comes late does not undo a later choice. */
let wanted: Language = "en";

async function speak(language: Language): Promise<void> {
  wanted = language;
  await Promise.all([...parts].map((part) => load(language, part)));
  if (wanted !== language) return;
  spoken = language;
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

/** Loads the words of all pages but the first: in English, and in the page's language as well as it can be had. */
export async function loadPages(): Promise<void> {
  parts.add("pages");
  const language = wanted;
  const translated = load(language, "pages").catch((error: unknown) => {
    console.warn(`The page could not be had in ${languageNames[language]}.`, error);
  });
  await Promise.all([load("en", "pages"), translated]);
}

/** Changes the language and remembers it. Fails when its catalogue cannot be loaded: the page then stays as it was. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    await speak(language);
  } catch (error) {
    if (wanted === language) wanted = spoken;
    throw error;
  }
  rememberLanguage(language);
}

/**
 * Sets the language of the first page, so that no other is seen before it. After `patience` milliseconds, or when the
 * catalogue cannot be loaded, the page begins in English; a catalogue that comes later is still taken.
 */
export async function startLanguage(patience = PATIENCE): Promise<void> {
  const language = languageFor(rememberedLanguage(), navigator.languages);
  if (language === "en") return;
  const loaded = speak(language).catch((error: unknown) => {
    if (wanted === language) wanted = spoken;
    console.warn(`The page could not be had in ${languageNames[language]}.`, error);
  });
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, patience))]);
}
