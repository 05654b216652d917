// Closed lists of the words in the contract, and the one place that decides about unknown words.

import type { PlanName } from "./types.ts";

/** Lists every member of `Union`. The compiler refuses a list that lacks one. */
export function enumValues<Union extends string>() {
  return <const Words extends readonly Union[]>(
    ...words: [Union] extends [Words[number]] ? Words : never
  ): readonly Union[] => words;
}

/** `value` if it is one of `words`, else `null`: an unknown word is never taken for a known one. */
export function parseEnum<Word extends string>(words: readonly Word[], value: unknown): Word | null {
  return words.find((word) => word === value) ?? null;
}

export const PLAN_NAMES = enumValues<PlanName>()("free", "basic", "professional", "enterprise");
