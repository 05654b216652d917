// The API calls of the plans feature: subscription, usage, changes of plan, invoices and checkout.

import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api, call } from "@/api/client.ts";
import { ApiError, toApiError } from "@/api/error.ts";
import type { components } from "@/api/schema.gen.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { MINUTE, retryUpTo, SECOND } from "@/shared/queryDefaults.ts";
import { currentUser } from "@/shared/session/account.ts";
import { toast } from "@/ui/toasts.ts";

export type BillingCycle = components["schemas"]["BillingCycle"];
export type Subscription = components["schemas"]["Subscription"];
export type Invoice = components["schemas"]["Invoice"];

/** The user's subscription; `null` if the user has the free plan. */
export const ownSubscription = queryOptions({
  queryKey: ["subscription", "current"],
  queryFn: async ({ signal }) => {
    try {
      return (await call(api.GET("/subscriptions/user/current", { signal }))).subscription;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  },
  staleTime: 30 * SECOND,
});

/** The user's usage in the current period. */
export const ownUsage = queryOptions({
  queryKey: ["subscription", "usage"],
  queryFn: async ({ signal }) => (await call(api.GET("/subscriptions/user/usage", { signal }))).usage,
  staleTime: 30 * SECOND,
});

/** What a change to this plan would cost now, and when it would take effect. Never cached. */
export const planQuote = (plan: string, billingCycle: BillingCycle) =>
  queryOptions({
    queryKey: ["subscription", "quote", plan, billingCycle],
    queryFn: async ({ signal }) => {
      const params = { query: { plan, billingCycle } };
      return (await call(api.GET("/subscriptions/user/quote", { params, signal }))).quote;
    },
    staleTime: 0,
    gcTime: 0,
  });

export const ownInvoices = queryOptions({
  queryKey: ["subscription", "invoices"],
  queryFn: async ({ signal }) => (await call(api.GET("/subscriptions/invoices", { signal }))).invoices,
  staleTime: 30 * SECOND,
});

export const ownInvoice = (id: string) =>
  queryOptions({
    queryKey: ["subscription", "invoices", id],
    queryFn: async ({ signal }) => {
      const params = { path: { id } };
      return (await call(api.GET("/subscriptions/invoices/{id}", { params, signal }))).invoice;
    },
    staleTime: 10 * MINUTE,
  });

/** Leaves the app for the payment page. */
function redirectTo(address: string): void {
  window.location.assign(address);
}

/** Loads the user's subscription data and account again after a change of the plan. */
export async function refreshPlan(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ["subscription"] }),
    client.invalidateQueries({ queryKey: currentUser.queryKey }),
  ]);
}

export interface PlanChoice {
  plan: string;
  billingCycle: BillingCycle;
}

const toBody = ({ plan, billingCycle }: PlanChoice) => ({ planId: plan, billingCycle });

/**
 * Starts a checkout and opens its payment page. The request is never retried, because each one may
 * create a checkout.
 */
export function useCheckout() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async (choice: PlanChoice) => {
      const { url } = await call(
        api.POST("/subscriptions/create-checkout-session", { body: toBody(choice) }),
      );
      if (!url) throw new Error(t("plans.checkout.noUrl"));
      redirectTo(url);
      // Keeps the mutation pending while the browser leaves the page.
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    },
    retry: false,
  });
}

/**
 * Changes the plan. Opens the payment page if the change must be paid now. Otherwise the server
 * schedules the change for the end of the period, or undoes an earlier change or cancellation.
 */
export function useChangePlan() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (choice: PlanChoice) => {
      const { subscription } = await call(api.PUT("/subscriptions/user/update", { body: toBody(choice) }));
      if (subscription.status === "pending") {
        if (!subscription.checkoutUrl) throw new Error(t("plans.checkout.noUrl"));
        redirectTo(subscription.checkoutUrl);
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        return;
      }
      await refreshPlan(client);
      toast.success(t("plans.change.done"));
    },
    retry: false,
  });
}

/** Cancels the plan. A paid plan ends with its period, an unpaid plan ends at once. */
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

/** Undoes a cancellation or a planned change of the plan. */
export function useResumePlan() {
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

/** Asks the server whether a checkout was paid. Also returns the server's message. */
async function verifyCheckout(
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

/** The maximum number of polls of a checkout. */
export const MAX_POLLS = 10;
/** The pause between two polls. */
const POLL_PAUSE = 2 * SECOND;

/**
 * The state of a checkout. It is polled until the payment is confirmed, a request fails, or
 * `MAX_POLLS` is reached.
 */
export function useCheckoutStatus(sessionId: string) {
  const polls = useRef(0);
  return useQuery({
    queryKey: ["checkout", sessionId],
    queryFn: async ({ signal }) => {
      const answer = await verifyCheckout(sessionId, signal);
      polls.current += 1;
      return { ...answer, polls: polls.current };
    },
    refetchInterval: ({ state }) =>
      state.error || state.data?.success || (state.data?.polls ?? 0) >= MAX_POLLS ? false : POLL_PAUSE,
    retry: retryUpTo(3),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
