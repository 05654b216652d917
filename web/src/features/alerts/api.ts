// The API requests of the alerts feature.

import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError, messageOf } from "@/api/error.ts";
import type { components } from "@/api/schema.gen.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Key } from "@/i18n/translate.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

type Schemas = components["schemas"];

export type Alert = Schemas["AlertView"];
export type AlertBody = Schemas["AlertForm"];
export type AlertStats = Schemas["AlertStats"];
export type AlertPreview = Schemas["AlertPreview"];
export type AlertQuery = Schemas["AlertQuery"];
export type FoundTender = Schemas["FoundTender"];
export type Proposal = Schemas["Proposal"];
export type AlertOutcome = Schemas["OutcomeView"];

/** The numbers of days over which outcomes are counted. */
export const OUTCOME_DAYS = [30, 90, 365] as const;
export type OutcomeDays = (typeof OUTCOME_DAYS)[number];

/** Retries a failed request up to three times, but never one that the server has forbidden. */
function retryUnlessForbidden(failures: number, error: Error): boolean {
  return !(error instanceof ApiError && error.status === 403) && failures < 3;
}

export const alertList = queryOptions({
  queryKey: ["alerts", "list"],
  queryFn: ({ signal }) => call(api.GET("/alerts", { signal })),
  staleTime: 5 * MINUTE,
  gcTime: 10 * MINUTE,
  retry: retryUnlessForbidden,
});

export const alertStats = queryOptions({
  queryKey: ["alerts", "stats"],
  queryFn: ({ signal }) => call(api.GET("/alerts/stats", { signal })),
  staleTime: 10 * MINUTE,
  gcTime: 15 * MINUTE,
  retry: retryUnlessForbidden,
});

/** One alert for the form. It is not cached, so that the form starts with the current values. */
export function alertById(id: string) {
  return queryOptions({
    queryKey: ["alerts", "one", id],
    queryFn: async ({ signal }) =>
      (await call(api.GET("/alerts/{id}", { params: { path: { id } }, signal }))).alert,
    staleTime: 0,
    gcTime: 0,
  });
}

/** A page of an alert's matches. */
export function alertMatches(id: string, page: number) {
  return queryOptions({
    queryKey: ["alerts", "matches", id, page],
    queryFn: ({ signal }) =>
      call(api.GET("/alerts/{id}/matches", { params: { path: { id }, query: { page, limit: 5 } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** What became of the tenders that the alerts found in the last days. */
export function alertOutcomes(days: OutcomeDays) {
  return queryOptions({
    queryKey: ["alerts", "outcomes", days],
    queryFn: ({ signal }) => call(api.GET("/alerts/outcomes", { params: { query: { days } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: MINUTE,
    retry: retryUnlessForbidden,
  });
}

/** Broader versions of an alert. */
export function alertProposals(id: string) {
  return queryOptions({
    queryKey: ["alerts", "proposals", id],
    queryFn: ({ signal }) => call(api.GET("/alerts/{id}/proposals", { params: { path: { id } }, signal })),
    staleTime: 5 * MINUTE,
    retry: false,
  });
}

/** The tenders that an alert would have matched in the last thirty days. */
export function alertPreview(body: AlertBody) {
  return queryOptions({
    queryKey: ["alerts", "preview", body],
    queryFn: ({ signal }) => call(api.POST("/alerts/preview", { body, signal })),
    placeholderData: keepPreviousData,
    staleTime: MINUTE,
    retry: false,
  });
}

/** Returns a function that shows an error toast, with the server's message if there is one. */
function useErrorToast() {
  const { t } = useTranslation();
  return (title: Key) => (error: Error) =>
    toast.error(t(title), { description: messageOf(error, t("alerts.failed.generic")) });
}

function useRefreshAlerts() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["alerts"] });
}

/**
 * Creates an alert if `id` is `null`, or else updates the alert with that id. `submission` is the
 * idempotency key of a new alert.
 */
export function useSaveAlert(id: string | null, submission: string) {
  const { t } = useTranslation();
  const [fail, refresh] = [useErrorToast(), useRefreshAlerts()];
  return useMutation({
    mutationFn: (body: AlertBody) =>
      id === null
        ? call(api.POST("/alerts", { params: { header: { "Idempotency-Key": submission } }, body }))
        : call(api.PUT("/alerts/{id}", { params: { path: { id } }, body })),
    retry: false,
    onSuccess: () => {
      toast.success(t(id === null ? "alerts.done.created" : "alerts.done.updated"));
      return refresh();
    },
    onError: (error) => {
      console.error(error);
      // An earlier request with this idempotency key created the alert, so the list is outdated.
      if (error instanceof ApiError && error.errors.some(({ field }) => field === "Idempotency-Key")) {
        void refresh();
      }
      fail(id === null ? "alerts.failed.create" : "alerts.failed.update")(error);
    },
  });
}

/** Switches an alert on or off. The change shows at once and is undone if the request fails. */
export function useToggleAlert() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [fail, refresh] = [useErrorToast(), useRefreshAlerts()];
  const flipActive = (id: string) =>
    client.setQueryData(
      alertList.queryKey,
      (list) =>
        list && {
          ...list,
          alerts: list.alerts.map((alert) =>
            alert._id === id ? { ...alert, isActive: !alert.isActive } : alert,
          ),
        },
    );
  return useMutation({
    mutationFn: (id: string) => call(api.PATCH("/alerts/{id}/toggle", { params: { path: { id } } })),
    retry: false,
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: alertList.queryKey });
      flipActive(id);
    },
    onSuccess: ({ alert }) => {
      toast.success(t(alert.isActive ? "alerts.done.activated" : "alerts.done.deactivated"));
      return refresh();
    },
    onError: (error, id) => {
      flipActive(id);
      fail("alerts.failed.toggle")(error);
    },
  });
}

export function useDeleteAlert() {
  const { t } = useTranslation();
  const [fail, refresh] = [useErrorToast(), useRefreshAlerts()];
  return useMutation({
    mutationFn: (id: string) => call(api.DELETE("/alerts/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      toast.success(t("alerts.done.deleted"));
      return refresh();
    },
    onError: (error) => fail("alerts.failed.delete")(error),
  });
}

/** Tests an alert against the ten newest tenders. */
export function useTestAlert() {
  const { t } = useTranslation();
  const fail = useErrorToast();
  return useMutation({
    mutationFn: (id: string) =>
      call(api.POST("/alerts/{id}/test", { params: { path: { id }, query: { limit: 10 } } })),
    onSuccess: ({ matchCount, totalTested }) =>
      toast.success(t("alerts.done.tested", { matches: matchCount, tested: totalTested })),
    onError: (error) => fail("alerts.failed.test")(error),
  });
}

export function useSendTestEmail() {
  const { t } = useTranslation();
  const fail = useErrorToast();
  return useMutation({
    mutationFn: (id: string) => call(api.POST("/alerts/{id}/send-test-email", { params: { path: { id } } })),
    retry: false,
    onSuccess: () => void toast.success(t("alerts.done.mailed")),
    onError: (error) => fail("alerts.failed.mail")(error),
  });
}

/** Marks a match as irrelevant, or removes the mark. */
export function useMarkIrrelevant(id: string) {
  const fail = useErrorToast();
  const refresh = useRefreshAlerts();
  return useMutation({
    mutationFn: ({ tender, isIrrelevant }: { tender: string; isIrrelevant: boolean }) => {
      const params = { params: { path: { id, tender } } };
      return isIrrelevant
        ? call(api.PUT("/alerts/{id}/matches/{tender}/irrelevance", params))
        : call(api.DELETE("/alerts/{id}/matches/{tender}/irrelevance", params));
    },
    onSuccess: refresh,
    onError: (error) => fail("alerts.failed.mark")(error),
  });
}
