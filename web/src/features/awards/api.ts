// The API calls of the page of awards.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError } from "@/api/error.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";
import { type AwardFilters, toQuery } from "./filters.ts";

/** One page of awards. The previous page stays on the screen while this one loads. */
export function awardList(filters: AwardFilters) {
  const query = toQuery(filters);
  return queryOptions({
    queryKey: ["awards", query],
    meta: { cachedOffline: true },
    queryFn: ({ signal }) => call(api.GET("/awards", { params: { query }, signal })),
    staleTime: 5 * MINUTE,
    gcTime: 10 * MINUTE,
    placeholderData: keepPreviousData,
  });
}

/** The page of the body with this slug, in short; `null` if it has none. */
export function bodyPage(slug: string) {
  return queryOptions({
    queryKey: ["awards", "body", slug],
    queryFn: async ({ signal }) => {
      try {
        const { name, slug: own } = await call(
          api.GET("/buyers/{slug}", { params: { path: { slug } }, signal }),
        );
        return { name, slug: own };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    enabled: slug !== "",
    staleTime: 5 * MINUTE,
  });
}
