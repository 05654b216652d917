// Suggestions for the text in a search bar.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";

/** Suggestions for the typed text: categories, places, organisations and tenders. */
export function tenderSuggestions(text: string) {
  return queryOptions({
    queryKey: ["tenders", "suggestions", text],
    queryFn: async ({ signal }) =>
      (await call(api.GET("/tenders/suggestions", { params: { query: { text } }, signal }))).suggestions,
    enabled: text.length > 1,
    staleTime: 60 * SECOND,
    gcTime: 5 * MINUTE,
    retry: false,
    placeholderData: keepPreviousData,
  });
}
