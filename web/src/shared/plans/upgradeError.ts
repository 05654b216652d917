import { ApiError } from "@/api/error.ts";

/** Whether the server refused the call and a higher plan would permit it. */
export function needsUpgrade(error: Error | null): error is ApiError & { plan: string } {
  return error instanceof ApiError && error.plan !== undefined;
}
