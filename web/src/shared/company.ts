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

/** Fields of work that registrations with the Construction Industry Development Authority name. */
export const WORK_FIELDS = [
  "Building construction",
  "Highway construction",
  "Bridge construction",
  "Water supply and sewerage",
  "Irrigation and drainage canals",
  "Storm water disposal and land drainage",
  "Dredging and reclamation",
  "Heavy construction",
] as const;

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name}${at + 1}`);

/** The grades of the Construction Industry Development Authority, the highest of each class first. */
export const GRADES = [
  "CS2",
  "CS1",
  ...numbered("C", 10),
  ...numbered("EM", 5),
  ...numbered("GP", 10),
  ...numbered("SP", 10),
  ...numbered("M", 9),
];
