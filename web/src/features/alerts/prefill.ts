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

/** The values of a filter in the address, without unknown words. */
function known<Word extends string>(words: readonly Word[], chosen: readonly string[] = []): Word[] {
  return chosen.map((word) => parseEnum(words, word)).filter((word) => word !== null);
}

/** The form that the address prefills. `null` if the address does not ask for a new alert. */
export function prefilledAlert(parameters: URLSearchParams): AlertForm | null {
  if (!parameters.has(NEW_ALERT_PARAMETER)) return null;
  const { search, category, advanced } = readFilters(parameters);
  const topics = [
    ...(category ? [category] : []),
    ...known(SECTORS, advanced.sectors),
    ...known(CATEGORIES, advanced.categories),
  ];
  return {
    ...newAlert,
    name: search.slice(0, 100),
    keywords: [{ term: search.slice(0, 50), matchType: "contains" }],
    categories: topics.slice(0, 10),
    minValue: advanced.minValue ?? "",
    maxValue: advanced.maxValue ?? "",
    organizationTypes: known(ORGANIZATION_TYPES, advanced.organizationTypes),
    provinces: known(PROVINCES, advanced.provinces),
    districts: known(ALL_DISTRICTS, advanced.districts),
  };
}
