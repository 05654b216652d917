// The API calls of the calendar: the deadlines of some days, and the address for calendar programs.

import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

/** The deadlines of the user's bids and saved tenders from one day to another, and the holidays. */
export function calendarOf(from: string, to: string) {
  return queryOptions({
    queryKey: ["bids", "calendar", from, to],
    meta: { cachedOffline: true },
    queryFn: ({ signal }) => call(api.GET("/calendar", { params: { query: { from, to } }, signal })),
    staleTime: 30 * SECOND,
    gcTime: 5 * MINUTE,
    placeholderData: keepPreviousData,
  });
}

/** The secret address at which calendar programs read the user's calendar. */
export const calendarAddress = queryOptions({
  queryKey: ["calendarAddress"],
  queryFn: ({ signal }) => call(api.GET("/calendar/address", { signal })),
  staleTime: MINUTE,
});

/** Gives the calendar a new address, or revokes it. */
export function useCalendarAddress() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: "renew" | "revoke") =>
      change === "renew" ? call(api.PUT("/calendar/address")) : call(api.DELETE("/calendar/address")),
    onSuccess: (address) => client.setQueryData(calendarAddress.queryKey, address),
    onError: (error) => void toast.error(messageOf(error, t("bids.failed"))),
  });
}
