// A search of the listing as the beginning of an alert, and the address that carries it.

import { paths } from "@/shared/paths.ts";
import { choicesOf, type Filters, readFilters, writeFilters } from "@/shared/tender/filters.ts";
import { type AlertForm, newAlert } from "./form.ts";

/** The page of alerts with a new one begun from what the listing is narrowed by. */
export function alertFrom(filters: Filters): string {
  const query = writeFilters({ ...filters, page: 1 });
  query.set("new", "1");
  return `${paths.alerts}?${query}`;
}

const OTHERS = ["organizationTypes", "provinces", "districts", "cities"] as const;

/** The alert that an address begins; `null` where it begins none. */
export function beginOf(parameters: URLSearchParams): AlertForm | null {
  if (!parameters.has("new")) return null;
  const { search, category, advanced } = readFilters(parameters);
  const chosen = (wanted: string) =>
    choicesOf(advanced).flatMap(({ name, value }) => (name === wanted ? [value] : []));
  const topics = [...(category ? [category] : []), ...chosen("sectors"), ...chosen("categories")];
  const lists = Object.fromEntries(OTHERS.map((name) => [name, chosen(name)]));
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
