// Prefills the form of a new alert from the filters of the listing, which the address carries.

import { parseEnum } from "@/api/enums.ts";
import { readFilters } from "@/shared/tender/filters.ts";
import { NEW_ALERT_PARAMETER } from "@/shared/tender/newAlertPath.ts";
import {
  ALL_DISTRICTS,
  CATEGORIES,
  ORGANIZATION_TYPES,
  PROVINCES,
  SECTORS,
} from "@/shared/tender/vocabulary.ts";
import { type AlertForm, newAlert } from "./form.ts";

/** The chosen values of a filter. Any that are not among `values` are dropped. */
function parseValues<Value extends string>(
  values: readonly Value[],
  chosen: readonly string[] = [],
): Value[] {
  return chosen.map((value) => parseEnum(values, value)).filter((value) => value !== null);
}

/** The form that the address prefills. `null` if the address does not request a new alert. */
export function prefilledAlert(parameters: URLSearchParams): AlertForm | null {
  if (!parameters.has(NEW_ALERT_PARAMETER)) return null;
  const { search, category, advanced } = readFilters(parameters);
  const topics = [
    ...(category ? [category] : []),
    ...parseValues(SECTORS, advanced.sectors),
    ...parseValues(CATEGORIES, advanced.categories),
  ];
  return {
    ...newAlert,
    name: search.slice(0, 100),
    keywords: [{ term: search.slice(0, 50), matchType: "contains" }],
    categories: topics.slice(0, 10),
    minValue: advanced.minValue ?? "",
    maxValue: advanced.maxValue ?? "",
    organizationTypes: parseValues(ORGANIZATION_TYPES, advanced.organizationTypes),
    provinces: parseValues(PROVINCES, advanced.provinces),
    districts: parseValues(ALL_DISTRICTS, advanced.districts),
  };
}
