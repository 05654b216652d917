// What is sold, what the reader holds and has used of it, what a change would cost, and what was paid.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError } from "@/api/error.ts";
import type { components } from "@/api/schema.gen.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";

export type Plan = components["schemas"]["Plan"];
export type Cycle = components["schemas"]["BillingCycle"];
export type Subscription = components["schemas"]["Subscription"];
export type Invoice = components["schemas"]["Invoice"];
export type Quote = components["schemas"]["Quote"];

/** Those that are sold; the free plan is what is left without one. */
export const SOLD = ["basic", "professional", "enterprise"] as const;
export type Sold = (typeof SOLD)[number];

export function isSold(name: string): name is Sold {
  return SOLD.some((sold) => sold === name);
}

export const plans = queryOptions({
  queryKey: ["plans"],
  meta: { keptOffline: true },
  queryFn: async ({ signal }) => (await call(api.GET("/subscriptions/plans", { signal }))).plans,
  staleTime: 10 * MINUTE,
  gcTime: 30 * MINUTE,
});

/** What the reader holds; `null` is the free plan. */
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

/** What the reader has used in the running period. */
export const ownUsage = queryOptions({
  queryKey: ["subscription", "usage"],
  queryFn: async ({ signal }) => (await call(api.GET("/subscriptions/user/usage", { signal }))).usage,
  staleTime: 30 * SECOND,
});

/** What a change to a plan would cost at this moment. */
export const quote = (plan: string, billingCycle: Cycle) =>
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
