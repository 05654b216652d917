// The dynamic imports of the catalogues. Each catalogue has two parts, and the English one also has
// the texts for administrators. Only the first part of the English catalogue is in the app's bundle.

import type { Language } from "./languages.ts";

/** `first` has the texts that every visit needs, `pages` the texts of all pages but Home. */
export type CataloguePart = "first" | "pages";

type Load = () => Promise<object>;

export const catalogueLoaders: Record<Exclude<Language, "en">, Record<CataloguePart, Load>> & {
  en: { pages: Load; operate: Load };
} = {
  en: {
    pages: async () => (await import("./en/pages.ts")).pages,
    operate: async () => (await import("./en/operate.ts")).operate,
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
