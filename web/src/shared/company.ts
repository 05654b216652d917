// The company profile, which a team shares.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import type { components } from "@/api/schema.gen.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";

export const companyProfile = queryOptions({
  queryKey: ["company"],
  queryFn: ({ signal }) => call(api.GET("/company", { signal })),
  staleTime: 5 * MINUTE,
});

/** Saves the profile. It fails if somebody else has changed it since `version`. */
export const putCompany = (body: components["schemas"]["CompanyForm"]) => call(api.PUT("/company", { body }));
