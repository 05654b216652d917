import { paths } from "@/shared/paths.ts";
import { type Filters, writeFilters } from "./filters.ts";

/** The query parameter that opens the form for a new alert. */
export const NEW_ALERT_PARAMETER = "new";

/** The address of the form for a new alert, prefilled with the filters of the listing. */
export function newAlertPath(filters: Filters): string {
  const query = writeFilters({ ...filters, page: 1 });
  query.set(NEW_ALERT_PARAMETER, "1");
  return `${paths.alerts}?${query}`;
}
