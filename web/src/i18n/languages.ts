// The languages of the portal. The page uses the stored one, else the first supported one of the
// browser, else English.

export const LANGUAGES = ["en", "si", "ta"] as const;

export type Language = (typeof LANGUAGES)[number];

/** Each language's name in that language. */
export const languageNames: Record<Language, string> = { en: "English", si: "සිංහල", ta: "தமிழ்" };

/** Short names. They use only letters of the names, because the fonts have no others. */
export const shortNames: Record<Language, string> = { en: "EN", si: "සිං", ta: "த" };

const KEY = "language";

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** The language for a stored choice and for the browser's list, which is in order of preference. */
export function languageFor(stored: string | null, preferred: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  return preferred.map((tag) => tag.toLowerCase().split(/[-_]/)[0]).find(isLanguage) ?? "en";
}

/** The stored choice; `null` without one. */
export function storedLanguage(): string | null {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function storeLanguage(language: Language): void {
  try {
    window.localStorage.setItem(KEY, language);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
