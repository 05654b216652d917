// Who can keep tenders: the plans that read everything. The portal enforces it; this decides only what is shown.

import type { User } from "@/api/types.ts";

export function keepsTenders({ role, subscription }: User): boolean {
  return role === "admin" || ["professional", "enterprise"].includes(subscription.plan);
}
