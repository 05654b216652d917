// Time units and the retry rule for queries.

import { ApiError } from "@/api/error.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

/** Retries up to `times`, but never a refused request. */
export function retryUpTo(times: number) {
  return (failures: number, error: Error): boolean =>
    !(error instanceof ApiError && error.isRefusal) && failures < times;
}
