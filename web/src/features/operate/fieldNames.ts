// The names of a notice's fields as the people at the desk see them.

import type { Key, Translate } from "@/i18n/translate.ts";

/** A name of the data in words: `activeFrom` becomes `Active from`. */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[.\-_]+/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a field by its path: `dates.closing`. The catalogue has the shape of a tender. */
export const fieldName = (path: string, t: Translate): string =>
  t(`operate.field.${path}` as Key, { defaultValue: inWords(path) });

/** The doubts about a notice as a worker reports them (`title doubtful, dates.closing missing`), in words. */
export function doubtsInWords(doubts: string, t: Translate): string {
  const parts = doubts.split(", ").map((doubt) => {
    const [, path, why] = /^([\w.]+) (doubtful|missing)$/.exec(doubt) ?? [];
    if (!path) return doubt;
    const field = fieldName(path, t);
    return t(why === "missing" ? "operate.pages.doubt.missing" : "operate.pages.doubt.doubtful", { field });
  });
  return parts.join(", ");
}
