// Keywords that match inside longer words, as “roof” does in “proof”.

import type { components } from "@/api/schema.gen.ts";

type Schemas = components["schemas"];
type Match = Pick<Schemas["FoundTender"], "keyword" | "passage">;
type Passage = Schemas["FoundPassage"];
type Keyword = NonNullable<Schemas["AlertQuery"]["keywords"]>[number];

/** The most words that are named as examples. */
const MAX_EXAMPLES = 2;

/** Letters, digits and the marks and joiners of Sinhala and Tamil. */
const WORD_END = /[\p{L}\p{M}\p{N}\u200c\u200d]+$/u;
const WORD_START = /^[\p{L}\p{M}\p{N}\u200c\u200d]+/u;

/** A hit with the rest of the word around it. */
export interface EnclosingWord {
  head: string;
  tail: string;
  word: string;
}

/** The word inside which a hit lies; `null` if the hit is where the word starts. */
export function enclosingWord({ before, hit, after }: Passage): EnclosingWord | null {
  const head = WORD_END.exec(before)?.[0];
  if (head === undefined) return null;
  const tail = WORD_START.exec(after)?.[0] ?? "";
  return { head, tail, word: `${head}${hit}${tail}` };
}

/**
 * The words inside which a keyword was found, the most frequent first. Only a keyword of the type
 * `contains` does so unasked.
 */
export function wordsAround(
  { term = "", matchType = "contains" }: Keyword,
  matches: readonly Match[],
): string[] {
  if (matchType !== "contains") return [];
  const counts = new Map<string, number>();
  for (const { keyword, passage } of matches) {
    const word = keyword === term.trim() && passage ? enclosingWord(passage)?.word.toLowerCase() : undefined;
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, one], [, other]) => other - one);
  return byCount.slice(0, MAX_EXAMPLES).map(([word]) => word);
}
