// The languages of the portal. The page uses the stored language, else the first supported language
// of the browser, else English.

export const LANGUAGES = ["en", "si", "ta"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The name of each language, written in the language itself. */
export const languageNames: Record<Language, string> = { en: "English", si: "සිංහල", ta: "தமிழ்" };

/**
 * Abbreviated names. The Sinhala and Tamil ones use only letters of the full names, because the
 * fonts for language names have no other letters.
 */
export const shortLanguageNames: Record<Language, string> = { en: "EN", si: "සිං", ta: "த" };

const STORAGE_KEY = "language";

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** The language to use, given the stored choice and the browser's languages in their order. */
export function languageFor(stored: string | null, preferred: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  return preferred.map((tag) => tag.toLowerCase().split(/[-_]/)[0]).find(isLanguage) ?? "en";
}

/** The stored choice, even of an unsupported language; `null` without a choice. */
export function storedLanguage(): string | null {
  try {
    return window.localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

export function storeLanguage(language: Language): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
