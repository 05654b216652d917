// Closed lists of the enum values in the contract. Unknown values are rejected here.

import type { PlanName } from "./types.ts";

/** Lists every member of `Union`. The compiler rejects an incomplete list. */
export function enumValues<Union extends string>() {
  return <const Values extends readonly Union[]>(
    ...values: [Union] extends [Values[number]] ? Values : never
  ): readonly Union[] => values;
}

/**
 * Returns `value` if it is one of `values`, else `null`. An unknown value is never read as a known
 * one.
 */
export function parseEnum<Value extends string>(values: readonly Value[], value: unknown): Value | null {
  return values.find((known) => known === value) ?? null;
}

export const PLAN_NAMES = enumValues<PlanName>()("free", "basic", "professional", "enterprise");
