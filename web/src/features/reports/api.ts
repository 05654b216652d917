// The reader's reports, and what one that is put together would find.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";
import { type Asked, isComplete } from "./form.ts";

export const reportList = queryOptions({
  queryKey: ["reports", "list"],
  queryFn: ({ signal }) => call(api.GET("/reports", { signal })),
  staleTime: 30 * SECOND,
  gcTime: 5 * MINUTE,
});

/** The first rows of a report. Those before stay on the screen until they are there. */
export function reportPreview(asked: Asked) {
  return queryOptions({
    queryKey: ["reports", "preview", asked],
    queryFn: ({ signal }) => call(api.POST("/reports/preview", { body: asked, signal })),
    enabled: isComplete(asked),
    staleTime: 30 * SECOND,
    gcTime: MINUTE,
    placeholderData: keepPreviousData,
  });
}
