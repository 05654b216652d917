// Complete lists of the contract's enum values, and a parser that rejects unknown values.

import type { PlanName } from "./types.ts";

/** Returns a list of every member of `Union`. The compiler rejects an incomplete list. */
export function enumValues<Union extends string>() {
  return <const Values extends readonly Union[]>(
    ...values: [Union] extends [Values[number]] ? Values : never
  ): readonly Union[] => values;
}

/** Returns `value` if it is one of `values`, else `null`. */
export function parseEnum<Value extends string>(values: readonly Value[], value: unknown): Value | null {
  return values.find((known) => known === value) ?? null;
}

export const PLAN_NAMES = enumValues<PlanName>()("free", "basic", "professional", "enterprise");
