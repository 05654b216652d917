// Categories that a search text names. The text of a notice is in one language, so that a search for the
// name of a category finds only some of its tenders.

import { CATEGORIES, type Category } from "@/shared/tender/vocabulary.ts";

/** A shorter word of a search text or of a category's texts says nothing. */
const MIN_LETTERS = 3;
/** Words in Sinhala or Tamil take endings. They are the same from this number of letters at their beginning. */
const MIN_STEM = 4;
const OPERATOR = /["“”:|]|(?:^|\s)(?:-\S|OR(?:\s|$))/;
const LATIN = /^[a-z]+$/;

const wordsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{M}\u200c\u200d]+/gu) ?? []).filter(
    (word) => word.length >= MIN_LETTERS,
  );

const singular = (word: string) => word.replace(/(?<=.{3})(?:ies|s|y)$/, "");

function isSameWord(one: string, other: string): boolean {
  if (LATIN.test(one) || LATIN.test(other)) return singular(one) === singular(other);
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.length >= MIN_STEM && long.startsWith(short);
}

/**
 * The first category whose texts have all words of a search text, or `null`. A text with operators names none.
 * `textsOf` returns the name of a category and further words for it.
 */
export function namedCategory(
  search: string,
  textsOf: (category: Category) => readonly string[],
): Category | null {
  const words = OPERATOR.test(search) ? [] : wordsOf(search);
  if (words.length === 0) return null;
  const isNamed = (category: Category) => {
    const known = textsOf(category).flatMap(wordsOf);
    return words.every((word) => known.some((one) => isSameWord(word, one)));
  };
  return CATEGORIES.find((category) => category !== "Other" && isNamed(category)) ?? null;
}
