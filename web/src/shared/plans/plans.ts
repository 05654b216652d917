// The plans on sale and their names.

import { parseEnum } from "@/api/enums.ts";
import type { PlanName } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { planOffers } from "./planOffers.ts";

/** The plans with a price. An account without a subscription has the free plan. */
export const PAID_PLANS = ["basic", "professional", "enterprise"] as const satisfies readonly PlanName[];

export type PaidPlan = (typeof PAID_PLANS)[number];

export function isPaidPlan(name: string | null): name is PaidPlan {
  return parseEnum(PAID_PLANS, name) !== null;
}

/** The plans on sale. */
export const plans = planOffers;

/** The name of a plan in the language of the page. */
export function planName(plan: string, t: Translate): string {
  return isPaidPlan(plan) ? t(`tenders.locked.plan.${plan}`) : t("plans.free");
}
