// Which parts of the app a user's plan includes. The server enforces the same rules; the app uses
// them to show or hide links and forms.

import type { User } from "@/api/types.ts";

/** Alerts need both the feature `emailAlerts` and a plan that is sold with alerts. */
export function hasAlerts({ subscription: { plan, features } }: User): boolean {
  return features.emailAlerts && (plan === "professional" || plan === "enterprise");
}

export function hasReports({ subscription }: User): boolean {
  return subscription.features.customReports;
}

export function canSaveTenders({ role, subscription: { plan } }: User): boolean {
  return role === "admin" || plan === "professional" || plan === "enterprise";
}
