// How large the files of all bids of an account may be together. The server does not send this quota
// with its plans.

import type { PlanName } from "@/api/types.ts";

/** The server's limit of each plan in megabytes. */
export const BID_FILE_MEGABYTES: Record<PlanName, number> = {
  free: 100,
  basic: 500,
  professional: 2000,
  enterprise: 10_000,
};
