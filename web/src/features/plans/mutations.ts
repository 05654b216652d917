// Subscribing, changing, cancelling and keeping a plan, and asking whether a payment arrived.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { toApiError } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { currentUser } from "@/shared/session/account.ts";
import { toast } from "@/ui/toasts.ts";
import type { Cycle } from "./api.ts";

/** Leaves the app for the page where it is paid. */
function leaveFor(address: string): void {
  window.location.assign(address);
}

/** Whatever depends on the plan is asked for anew. */
export async function refreshPlan(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ["subscription"] }),
    client.invalidateQueries({ queryKey: currentUser.queryKey }),
  ]);
}

export interface Wish {
  plan: string;
  billingCycle: Cycle;
}

/** As it is sent. */
const bodyOf = ({ plan, billingCycle }: Wish) => ({ planId: plan, billingCycle });

/** Goes to where a plan is paid. Never sent twice by itself: each may make a checkout. */
export function useCheckout() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async (wish: Wish) => {
      const { url } = await call(api.POST("/subscriptions/create-checkout-session", { body: bodyOf(wish) }));
      if (!url) throw new Error(t("plans.checkout.noUrl"));
      leaveFor(url);
      // The page goes; until then it is still under way.
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    },
    retry: false,
  });
}

/** Changes the plan: to where it is paid, or at the period's end. */
export function useChangePlan() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (wish: Wish) => {
      const { subscription } = await call(api.PUT("/subscriptions/user/update", { body: bodyOf(wish) }));
      if (subscription.status === "pending") {
        if (!subscription.checkoutUrl) throw new Error(t("plans.checkout.noUrl"));
        leaveFor(subscription.checkoutUrl);
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        return;
      }
      await refreshPlan(client);
      toast.success(t("plans.change.done"));
    },
    retry: false,
  });
}

/** Has the plan end with its period. */
export function useCancelPlan() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) =>
      call(api.POST("/subscriptions/user/cancel", { body: reason.trim() === "" ? {} : { reason } })),
    onSuccess: async () => {
      await refreshPlan(client);
      toast.success(t("plans.cancel.done"));
    },
  });
}

/** Has the plan go on after all. */
export function useKeepPlan() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.POST("/subscriptions/user/keep")),
    onSuccess: async () => {
      await refreshPlan(client);
      toast.success(t("plans.keep.done"));
    },
  });
}

/** Whether a checkout was paid, and what the portal says to it. */
export async function verify(
  sessionId: string,
  signal: AbortSignal,
): Promise<{ success: boolean; message: string | null }> {
  const params = { path: { sessionId } };
  const { data, error, response } = await api.GET("/subscriptions/verify-session/{sessionId}", {
    params,
    signal,
  });
  if (!data) throw toApiError(error, response.status);
  return { success: data.success, message: data.message ?? null };
}
