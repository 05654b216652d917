// The address of the form for a new alert. It carries what the form is prefilled with.

import type { Tender } from "@/api/types.ts";
import { paths } from "@/shared/paths.ts";
import { type Filters, noFilters, writeFilters } from "./filters.ts";

/** The query parameter that opens the form for a new alert. */
export const NEW_ALERT_PARAMETER = "new";

/** The query parameter with keywords, of which one is enough. The search text is one keyword. */
export const KEYWORDS_PARAMETER = "words";

export const KEYWORD_SEPARATOR = "|";

const MAX_TITLE_WORDS = 5;

/** Words of titles that say nothing about what is bought. */
const COMMON_WORDS = new Set(
  "and for from the with supply supplying delivery deliver procurement provision providing purchase works work service services tender tenders bid bids bidding invitation notice proposed project under including other various sri lanka ltd limited plc pvt department ministry council office year years phase stage lot lots no".split(
    " ",
  ),
);

/** The address of the form for a new alert, prefilled with the filters of the listing. */
export function newAlertPath(filters: Filters): string {
  const query = writeFilters({ ...filters, page: 1 });
  query.set(NEW_ALERT_PARAMETER, "1");
  return `${paths.alerts}?${query}`;
}

/** The words of a title that tell tenders like it from others: at most five, the longest. */
export function titleWords(title: string): string[] {
  const words = title.match(/[\p{L}\p{M}\u200d]+/gu) ?? [];
  const telling = words.filter((word) => [...word].length > 3 && !COMMON_WORDS.has(word.toLowerCase()));
  const distinct = [...new Map(telling.map((word) => [word.toLowerCase(), word])).values()];
  const longest = distinct.toSorted((one, other) => other.length - one.length).slice(0, MAX_TITLE_WORDS);
  return distinct.filter((word) => longest.includes(word));
}

/** The address of the form for an alert on tenders like this one: its category, district and title. */
export function alertLikePath({ title, category, location }: Tender): string {
  const advanced = {
    ...(category && { categories: [category] }),
    ...(location?.district && { districts: [location.district] }),
  };
  const query = writeFilters({ ...noFilters, advanced });
  const words = titleWords(title);
  if (words.length > 0) query.set(KEYWORDS_PARAMETER, words.join(KEYWORD_SEPARATOR));
  query.set(NEW_ALERT_PARAMETER, "1");
  return `${paths.alerts}?${query}`;
}

/** The query parameter with the name of a body. */
const BODY_PARAMETER = "body";

/** The address of the form for an alert on the tenders of a body, by its name as shown. */
export function bodyAlertPath(name: string): string {
  return `${paths.alerts}?${new URLSearchParams({ [BODY_PARAMETER]: name, [NEW_ALERT_PARAMETER]: "1" })}`;
}

/** Whether a path leads to the form for a new alert. */
export function isNewAlertPath(path: string | null): path is string {
  if (path === null) return false;
  const [pathname, query = ""] = path.split("?");
  return pathname === paths.alerts && new URLSearchParams(query).has(NEW_ALERT_PARAMETER);
}
