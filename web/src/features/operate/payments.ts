// The API calls of the pages for payments and subscriptions.

import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { enumValues } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { PlanName, SubscriptionStatus } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

export const SUBSCRIPTION_STATUSES = enumValues<SubscriptionStatus>()(
  "active",
  "pending",
  "cancelled",
  "expired",
);

export interface SubscriptionFilters {
  search?: string;
  status?: SubscriptionStatus;
  plan?: PlanName;
}

/** The subscriptions that pass the filters, the latest created first. */
export function subscriptionList(filters: SubscriptionFilters) {
  return infiniteQueryOptions({
    queryKey: ["operate", "subscriptions", filters],
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.GET("/operate/payments/subscriptions", {
          params: { query: { ...filters, ...(after && { after }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 10 * SECOND,
  });
}

/** The payment events that were not applied, latest first. */
export function paymentEvents(isSettled: boolean) {
  return infiniteQueryOptions({
    queryKey: ["operate", "paymentEvents", isSettled],
    queryFn: ({ pageParam: before, signal }) =>
      call(
        api.GET("/operate/payments/events", {
          params: { query: { isSettled, ...(before && { before }) } },
          signal,
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 10 * SECOND,
  });
}

/** Marks a payment event as settled. A toast shows the result. */
export function useSettlePayment(id: number) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (note: string) =>
      call(api.PUT("/operate/payments/events/{id}/settlement", { params: { path: { id } }, body: { note } })),
    onSuccess: () => {
      toast.success(t("operate.payments.settledDone"));
      return client.invalidateQueries({ queryKey: ["operate"] });
    },
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}
