// Where the words of each language lie, in the parts that they are loaded in. The English words of the first page are built
// into the app.

import type { Language } from "./languages.ts";

/** `first`: what every visit needs. `pages`: all pages but Home. */
export type Part = "first" | "pages";

type Load = () => Promise<object>;

export const files: Record<Exclude<Language, "en">, Record<Part, Load>> & { en: { pages: Load } } = {
  en: {
    pages: async () => (await import("./en/pages.ts")).pages,
  },
  si: {
    first: async () => (await import("./si/first.ts")).first,
    pages: async () => (await import("./si/pages.ts")).pages,
  },
  ta: {
    first: async () => (await import("./ta/first.ts")).first,
    pages: async () => (await import("./ta/pages.ts")).pages,
  },
};
