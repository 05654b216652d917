// The company profile, which a team shares.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";

export const companyProfile = queryOptions({
  queryKey: ["company"],
  queryFn: ({ signal }) => call(api.GET("/company", { signal })),
  staleTime: 5 * MINUTE,
});
