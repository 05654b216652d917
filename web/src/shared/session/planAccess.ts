// Whose plan has e-mail alerts.

import type { User } from "@/api/types.ts";

/** The feature, and a plan that is sold with it: both, as the specification asks. */
export function hasAlerts(user: User): boolean {
  const { plan, features } = user.subscription;
  return features.emailAlerts && (plan === "professional" || plan === "enterprise");
}
