// Prefills the form of a new alert from the filters of the listing, which the address carries.

import { choicesOf, readFilters } from "@/shared/tender/filters.ts";
import { NEW_ALERT_PARAMETER } from "@/shared/tender/newAlertPath.ts";
import { type AlertForm, newAlert } from "./form.ts";

const LISTS = ["organizationTypes", "provinces", "districts", "cities"] as const;

/** The alert that an address begins; `null` where it begins none. */
export function prefilledAlert(parameters: URLSearchParams): AlertForm | null {
  if (!parameters.has(NEW_ALERT_PARAMETER)) return null;
  const { search, category, advanced } = readFilters(parameters);
  const chosen = (wanted: string) =>
    choicesOf(advanced).flatMap(({ name, value }) => (name === wanted ? [value] : []));
  const topics = [...(category ? [category] : []), ...chosen("sectors"), ...chosen("categories")];
  const lists = Object.fromEntries(LISTS.map((name) => [name, chosen(name)]));
  return {
    ...newAlert,
    name: search.slice(0, 100),
    keywords: [{ term: search.slice(0, 50), matchType: "contains" }],
    categories: topics.slice(0, 10),
    minValue: advanced.minValue ?? "",
    maxValue: advanced.maxValue ?? "",
    ...lists,
  };
}
