// The plans on sale and their names.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { parseEnum } from "@/api/enums.ts";
import type { Plan, PlanName } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";

/** The plans with a price. An account without a subscription has the free plan. */
export const PAID_PLANS = ["basic", "professional", "enterprise"] as const satisfies readonly PlanName[];

export type PaidPlan = (typeof PAID_PLANS)[number];

export function isPaidPlan(name: string | null): name is PaidPlan {
  return parseEnum(PAID_PLANS, name) !== null;
}

export const plans = queryOptions({
  queryKey: ["plans"],
  meta: { cachedOffline: true },
  queryFn: async ({ signal }): Promise<Plan[]> =>
    (await call(api.GET("/subscriptions/plans", { signal }))).plans,
  staleTime: 10 * MINUTE,
  gcTime: 30 * MINUTE,
});

/** The name of a plan in the language of the page. */
export function planName(plan: string, t: Translate): string {
  return isPaidPlan(plan) ? t(`tenders.locked.plan.${plan}`) : t("plans.free");
}
