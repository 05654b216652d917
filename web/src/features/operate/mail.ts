// The API calls of the page for undelivered messages and suppressed addresses.

import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

export interface DeadFilters {
  address?: string;
  reason?: string;
}

/** The messages that could not be delivered, latest first. */
export function deadMessages(filters: DeadFilters) {
  return infiniteQueryOptions({
    queryKey: ["operate", "mail", "dead", filters],
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.GET("/operate/mail/dead", { params: { query: { ...filters, ...(after && { after }) } }, signal }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 10 * SECOND,
  });
}

/** The suppressed addresses, last suppressed first. */
export function suppressedAddresses(search: string) {
  return infiniteQueryOptions({
    queryKey: ["operate", "mail", "suppressed", search],
    queryFn: ({ pageParam: before, signal }) =>
      call(
        api.GET("/operate/mail/suppressed", {
          params: { query: { ...(search && { search }), ...(before && { before }) } },
          signal,
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 10 * SECOND,
  });
}

/** What an administrator can do on the page. */
type MailAction =
  | { kind: "retry"; id: string }
  | { kind: "retryAll"; filters: DeadFilters }
  | { kind: "lift"; id: number };

async function sendAction(action: MailAction): Promise<number> {
  switch (action.kind) {
    case "retry":
      await call(api.POST("/operate/mail/dead/{id}/retry", { params: { path: { id: action.id } } }));
      return 1;
    case "retryAll":
      return (await call(api.POST("/operate/mail/retry", { body: action.filters }))).retried;
    case "lift":
      await call(api.DELETE("/operate/mail/suppressed/{id}", { params: { path: { id: action.id } } }));
      return 1;
  }
}

/** Applies an action. A toast shows the result. */
export function useMailAction() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendAction,
    onSuccess: (count, { kind }) => {
      toast.success(
        kind === "lift" ? t("operate.mail.liftedDone") : t("operate.mail.retriedDone", { count }),
      );
      return client.invalidateQueries({ queryKey: ["operate"] });
    },
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}
