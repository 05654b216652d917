import { ApiError } from "@/api/error.ts";
import type { PlanName } from "@/api/types.ts";

/** Whether the server refused the call and a higher plan would permit it. */
export function needsUpgrade(error: Error | null): error is ApiError & { plan: PlanName } {
  return error instanceof ApiError && error.plan !== undefined;
}
