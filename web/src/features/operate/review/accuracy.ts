// The accuracy of the readers by week and field, as the reviewers found out.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import type { AccuracyOfField } from "@/api/types.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";

/** The accuracy of the last weeks. `onlySamples`: only of notices that were checked at random. */
export function accuracyOf(weeks: number, onlySamples: boolean) {
  return queryOptions({
    queryKey: ["operate", "accuracy", weeks, onlySamples],
    queryFn: ({ signal }) =>
      call(api.GET("/operate/review/accuracy", { params: { query: { weeks, onlySamples } }, signal })),
    staleTime: MINUTE,
  });
}

export type Counts = Omit<AccuracyOfField, "week" | "field">;

const NOTHING: Counts = { right: 0, wrong: 0, missed: 0, certain: 0, certainWrong: 0 };

function add(a: Counts, b: Counts): Counts {
  return {
    right: a.right + b.right,
    wrong: a.wrong + b.wrong,
    missed: a.missed + b.missed,
    certain: a.certain + b.certain,
    certainWrong: a.certainWrong + b.certainWrong,
  };
}

/** The share of printed or read values that are right. `null`: there are none. */
export function shareRight({ right, wrong, missed }: Counts): number | null {
  const all = right + wrong + missed;
  return all === 0 ? null : right / all;
}

/** The share of values marked as certain that are right. `null`: there are none. */
export function shareOfCertain({ certain, certainWrong }: Counts): number | null {
  return certain === 0 ? null : (certain - certainWrong) / certain;
}

export interface AccuracyTable {
  /** The Mondays of the weeks, latest first. */
  weeks: string[];
  /** Each field with its sum and its counts by week. */
  rows: { field: string; total: Counts; byWeek: Map<string, Counts> }[];
  /** The sum of all fields. */
  total: Counts;
}

/** Arranges the counts by field. The order of fields is `order`; others follow. */
export function accuracyTable(fields: readonly AccuracyOfField[], order: readonly string[]): AccuracyTable {
  const weeks = [...new Set(fields.map(({ week }) => week))].sort().reverse();
  const names = [...new Set(fields.map(({ field }) => field))];
  const rank = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);
  const rows = names
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((field) => {
      const own = fields.filter((one) => one.field === field);
      return {
        field,
        total: own.reduce<Counts>(add, NOTHING),
        byWeek: new Map(own.map((one) => [one.week, one])),
      };
    });
  return { weeks, rows, total: rows.reduce((sum, { total }) => add(sum, total), NOTHING) };
}
