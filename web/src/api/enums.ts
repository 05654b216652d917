// Closed lists of the words in the contract. Unknown words are handled here.

import type { PlanName } from "./types.ts";

/** Lists every member of `Union`. The compiler rejects an incomplete list. */
export function enumValues<Union extends string>() {
  return <const Words extends readonly Union[]>(
    ...words: [Union] extends [Words[number]] ? Words : never
  ): readonly Union[] => words;
}

/**
 * Returns `value` if it is one of `words`, else `null`. An unknown word is never read as a known
 * one.
 */
export function parseEnum<Word extends string>(words: readonly Word[], value: unknown): Word | null {
  return words.find((word) => word === value) ?? null;
}

export const PLAN_NAMES = enumValues<PlanName>()("free", "basic", "professional", "enterprise");
