// Whose plan has reports.

import type { User } from "@/api/types.ts";

export function hasReports(user: User): boolean {
  return user.subscription.features.customReports;
}
