// The API calls of the page for messages of the contact form.

import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

export interface MessageFilters {
  isAnswered: boolean;
  search?: string;
}

/** The open messages, those with priority first; or the answered messages, the latest first. */
export function messageList(filters: MessageFilters) {
  return infiniteQueryOptions({
    queryKey: ["operate", "messages", filters],
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.GET("/operate/messages", { params: { query: { ...filters, ...(after && { after }) } }, signal }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 10 * SECOND,
  });
}

/** Marks a message as answered or open, and replaces its note. A toast shows the result. */
export function useUpdateMessage(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { isAnswered: boolean; note: string | null }) =>
      call(api.PUT("/operate/messages/{id}", { params: { path: { id } }, body })),
    onSuccess: (_, { isAnswered }) => {
      toast.success(isAnswered ? t("operate.messages.answeredDone") : t("operate.messages.openedDone"));
      return client.invalidateQueries({ queryKey: ["operate"] });
    },
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}

/**
 * The address that opens an answer in the mail program. The sender chose the mail address, so it is
 * encoded: otherwise, it could add recipients or headers.
 */
export function answerAddress(email: string, subject: string, message: string): string {
  const to = encodeURIComponent(email).replace("%40", "@");
  const quoted = message
    .slice(0, 1000)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\r\n");
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`\r\n\r\n${quoted}`)}`;
}
