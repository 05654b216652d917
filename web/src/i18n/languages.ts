// The languages of the portal, and which of them a reader gets: the one chosen before, else the first that the browser
// asks for, else English.

export const LANGUAGES = ["en", "si", "ta"] as const;

export type Language = (typeof LANGUAGES)[number];

/** Every language in its own words and script. */
export const languageNames: Record<Language, string> = { en: "English", si: "සිංහල", ta: "தமிழ்" };

/** The same for where there is little room; no letters but those of the names. */
export const shortNames: Record<Language, string> = { en: "EN", si: "සිං", ta: "த" };

const KEY = "language";

export function isLanguage(word: unknown): word is Language {
  return LANGUAGES.some((language) => language === word);
}

/** The language of a reader who chose `remembered` before, or whose browser asks for `asked`, dearest first. */
export function languageFor(remembered: string | null, asked: readonly string[]): Language {
  if (isLanguage(remembered)) return remembered;
  return asked.map((tag) => tag.toLowerCase().split(/[-_]/)[0]).find(isLanguage) ?? "en";
}

/** What was chosen in this browser before; nothing where the browser keeps nothing. */
export function rememberedLanguage(): string | null {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function rememberLanguage(language: Language): void {
  try {
    window.localStorage.setItem(KEY, language);
  } catch {
    // A forbidden store keeps nothing; the page still speaks the language until it is left.
  }
}
