// The defaults of every query and mutation: specification section 9, "Caching and retry".

import { ApiError } from "@/api/error.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

/** Retries up to `times`, but never what the server refused. */
export function retryUpTo(times: number) {
  return (failures: number, error: Error): boolean =>
    !(error instanceof ApiError && error.isRefusal) && failures < times;
}
