// A report while it is put together. Its filters are kept as the listing's query string, as the portal keeps them.

import { enumValues } from "@/api/enums.ts";
import type { components } from "@/api/schema.gen.ts";
import { type Advanced, type Filters, fromSearchQuery, toSearchQuery } from "@/shared/tender/filters.ts";

type Schemas = components["schemas"];

export type Report = Schemas["Report"];
export type ReportQuery = Schemas["ReportAsked"];
export type Column = Schemas["ReportColumn"];
type Grouping = Schemas["ReportGrouping"];
export type Format = Schemas["ReportFormat"];
type Span = Schemas["Span"];

/** What a column can say, in the portal's order. */
export const COLUMNS: readonly Column[] = [
  "reference",
  "title",
  "organization",
  "organizationType",
  "category",
  "sector",
  "kind",
  "method",
  "province",
  "district",
  "city",
  "value",
  "currency",
  "bidSecurity",
  "documentFee",
  "published",
  "closing",
  "status",
  "newspaper",
  "link",
];

export const GROUPINGS = enumValues<Grouping>()("category", "district", "organization", "month");
export const SPANS = enumValues<Span>()("thisMonth", "lastMonth", "last90Days", "range");

/** Columns of amounts. */
export const AMOUNTS: readonly Column[] = ["value", "bidSecurity", "documentFee"];

export const LONGEST_NAME = 100;

export interface ReportDraft {
  /** `null`: it is not kept yet. */
  id: string | null;
  name: string;
  isMonthly: boolean;
  asked: ReportQuery;
}

export const newReport: ReportDraft = {
  id: null,
  name: "",
  isMonthly: false,
  asked: {
    query: "",
    period: { by: "published", span: "thisMonth" },
    columns: ["reference", "title", "organization", "category", "district", "value", "closing", "link"],
    totals: ["category", "district"],
  },
};

export function toDraft({ _id, name, isMonthly, asked }: Report): ReportDraft {
  return { id: _id, name, isMonthly, asked };
}

/** The days of a period by the listing's names of them. */
function bounds(by: "published" | "closing") {
  return by === "closing"
    ? (["closingFrom", "closingUntil"] as const)
    : (["publishedFrom", "publishedUntil"] as const);
}

function byOf({ period }: ReportQuery) {
  return period.by === "closing" ? "closing" : "published";
}

/** Filters without what the period says. */
function withoutPeriod(asked: ReportQuery, advanced: Advanced): Advanced {
  const [from, until] = bounds(byOf(asked));
  return { ...advanced, [from]: undefined, [until]: undefined };
}

/** The filters of a report, and with the days of its period, where those are known, to count choices by. */
export function filtersWithin(
  asked: ReportQuery,
  days: { from: string; until: string } | undefined,
): Filters {
  const filters = fromSearchQuery(asked.query ?? "");
  const [from, until] = bounds(byOf(asked));
  const advanced = withoutPeriod(asked, filters.advanced);
  return { ...filters, advanced: days ? { ...advanced, [from]: days.from, [until]: days.until } : advanced };
}

/** The same report with other filters. */
export function withFilters(asked: ReportQuery, change: Partial<Filters>): ReportQuery {
  const filters = { ...fromSearchQuery(asked.query ?? ""), ...change };
  return { ...asked, query: toSearchQuery({ ...filters, advanced: withoutPeriod(asked, filters.advanced) }) };
}

/** A list with one of its items a place earlier or later. */
export function moved<Item>(items: readonly Item[], item: Item, by: -1 | 1): Item[] {
  const from = items.indexOf(item);
  const to = from + by;
  if (from < 0 || to < 0 || to >= items.length) return [...items];
  const rest = items.filter((other) => other !== item);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}

/** Whether the portal can be asked: a range has both its days, and there is something to show. */
export function isComplete({ period, columns }: ReportQuery): boolean {
  const { span, from, until } = period;
  return columns.length > 0 && (span !== "range" || Boolean(from && until && from <= until));
}
