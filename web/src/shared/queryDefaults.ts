// Time units in milliseconds, and the retry rule for queries and mutations.

import { ApiError } from "@/api/error.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Returns a rule that permits up to `times` retries, but none of a refused request. */
export function retryUpTo(times: number) {
  return (failures: number, error: Error): boolean =>
    !(error instanceof ApiError && error.isRefusal) && failures < times;
}
