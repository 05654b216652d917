// The values of the report form. A report stores its filters as a query string of the listing.

import { enumValues } from "@/api/enums.ts";
import type { components } from "@/api/schema.gen.ts";
import {
  type AdvancedFilters,
  type Filters,
  fromSearchQuery,
  toSearchQuery,
} from "@/shared/tender/filters.ts";

type Schemas = components["schemas"];

export type Report = Schemas["Report"];
export type ReportQuery = Schemas["ReportAsked"];
export type Column = Schemas["ReportColumn"];
type Grouping = Schemas["ReportGrouping"];
export type Format = Schemas["ReportFormat"];
type Span = Schemas["Span"];

/** All columns that a report can have, in the order in which the form offers them. */
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

/** The columns that contain amounts of money. */
export const AMOUNT_COLUMNS: readonly Column[] = ["value", "bidSecurity", "documentFee"];

export const MAX_NAME_LENGTH = 100;

export interface ReportDraft {
  /** `null` for an unsaved report. */
  id: string | null;
  name: string;
  isMonthly: boolean;
  definition: ReportQuery;
}

export const newReport: ReportDraft = {
  id: null,
  name: "",
  isMonthly: false,
  definition: {
    query: "",
    period: { by: "published", span: "thisMonth" },
    columns: ["reference", "title", "organization", "category", "district", "value", "closing", "link"],
    totals: ["category", "district"],
  },
};

export function toDraft({ _id, name, isMonthly, asked }: Report): ReportDraft {
  return { id: _id, name, isMonthly, definition: asked };
}

/** The names of the filters for the first and the last day of a period. */
function dateFilters(by: "published" | "closing") {
  return by === "closing"
    ? (["closingFrom", "closingUntil"] as const)
    : (["publishedFrom", "publishedUntil"] as const);
}

function dateField({ period }: ReportQuery) {
  return period.by === "closing" ? "closing" : "published";
}

/** Removes the two filters that the period of the report replaces. */
function withoutPeriod(report: ReportQuery, advanced: AdvancedFilters): AdvancedFilters {
  const [from, until] = dateFilters(dateField(report));
  return { ...advanced, [from]: undefined, [until]: undefined };
}

/**
 * The filters of a report. If the days of its period are given, they are included, so that the
 * advanced search counts only tenders of the period.
 */
export function reportFilters(
  report: ReportQuery,
  days: { from: string; until: string } | undefined,
): Filters {
  const filters = fromSearchQuery(report.query ?? "");
  const [from, until] = dateFilters(dateField(report));
  const advanced = withoutPeriod(report, filters.advanced);
  return { ...filters, advanced: days ? { ...advanced, [from]: days.from, [until]: days.until } : advanced };
}

/** Returns the report with changed filters. */
export function withFilters(report: ReportQuery, change: Partial<Filters>): ReportQuery {
  const filters = { ...fromSearchQuery(report.query ?? ""), ...change };
  return {
    ...report,
    query: toSearchQuery({ ...filters, advanced: withoutPeriod(report, filters.advanced) }),
  };
}

/** Moves an item of a list by one position. The first item can't move up, nor the last down. */
export function moveItem<Item>(items: readonly Item[], item: Item, by: -1 | 1): Item[] {
  const from = items.indexOf(item);
  const to = from + by;
  if (from < 0 || to < 0 || to >= items.length) return [...items];
  const rest = items.filter((other) => other !== item);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}

/** Whether the report can be requested: it has columns, and a range has both days in order. */
export function isComplete({ period, columns }: ReportQuery): boolean {
  const { span, from, until } = period;
  return columns.length > 0 && (span !== "range" || Boolean(from && until && from <= until));
}
