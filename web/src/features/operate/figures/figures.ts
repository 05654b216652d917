// The figures of the portal: how they are grouped, written and compared.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import type { FigureSeries, QueueState } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { numberFormat } from "@/shared/format/numberFormat.ts";
import { paths } from "@/shared/paths.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";

export type FigureName = FigureSeries["figure"];
export type QueueName = QueueState["queue"];

/** The groups of the page, and the figures of each group. */
export const GROUPS = [
  { name: "reading", figures: ["pages", "notices", "review-time"] },
  { name: "alerts", figures: ["matches", "emails", "bounces", "sms", "whatsapp", "webhooks"] },
  { name: "readers", figures: ["new-users", "empty-searches"] },
  { name: "money", figures: ["revenue", "subscribers", "ended-subscriptions", "churn"] },
  { name: "queues", figures: ["review-age", "pages-age", "publications-age", "messages-age", "mails-age"] },
] as const satisfies readonly { name: string; figures: readonly FigureName[] }[];

/** The queue of a figure, and the page that shows the queue. */
export const QUEUES: Partial<Record<FigureName, { queue: QueueName; path: string }>> = {
  "review-age": { queue: "review", path: paths.operateReview },
  "pages-age": { queue: "pages", path: paths.operatePages },
  "publications-age": { queue: "publications", path: paths.operatePublications },
  "messages-age": { queue: "messages", path: paths.operateMessages },
  "mails-age": { queue: "mails", path: paths.operateMail },
};

/** The figures of the 90 days up to a day, or up to today. */
export function figuresUntil(to: string | null) {
  return queryOptions({
    queryKey: ["operate", "figures", to],
    queryFn: ({ signal }) =>
      call(api.GET("/operate/figures", { params: { query: { ...(to && { to }) } }, signal })),
    staleTime: MINUTE,
  });
}

const DAY_MS = 86_400_000;

/** The day after `from` by a number of days, as `2026-11-20`. */
export function dayAfter(from: string, days: number): string {
  return new Date(Date.parse(`${from}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

const wholeFormat = numberFormat({ maximumFractionDigits: 0 });
const decimalFormat = numberFormat({ maximumFractionDigits: 1 });

/** "45 min", "3.5 h" or "2.1 days". */
export function formatDuration(seconds: number, t: Translate): string {
  const units = [
    { unit: "days", seconds: 86_400, from: 2 * 86_400 },
    { unit: "hours", seconds: 3600, from: 2 * 3600 },
    { unit: "minutes", seconds: 60, from: 60 },
  ] as const;
  const found = units.find(({ from }) => seconds >= from);
  if (!found) return t("operate.figures.unit.seconds", { amount: wholeFormat(seconds) });
  const format = found.unit === "minutes" ? wholeFormat : decimalFormat;
  return t(`operate.figures.unit.${found.unit}`, { amount: format(seconds / found.seconds) });
}

/** A value with its unit. Working time is always in minutes. */
export function formatValue(
  value: number,
  { figure, unit }: Pick<FigureSeries, "figure" | "unit">,
  t: Translate,
): string {
  if (figure === "review-time") return t("operate.figures.unit.minutes", { amount: wholeFormat(value / 60) });
  switch (unit) {
    case "seconds":
      return formatDuration(value, t);
    case "percent":
      return t("operate.figures.unit.percent", { amount: decimalFormat(value) });
    case "rupees":
      return formatAmount(value, "LKR");
    case "count":
      return wholeFormat(value);
  }
}

/** A change in words, and its direction. */
export interface Change {
  direction: "up" | "down" | "same" | "unknown";
  text: string;
}

/** How a figure changed: a sum in per cent, and a last value by the difference. */
export function changeOf(series: FigureSeries, t: Translate): Change {
  const { value, before, beforeDays, total, unit } = series;
  if (beforeDays === null) {
    const longest = Math.max(...series.values.map((value) => value ?? 0));
    return {
      direction: "unknown",
      text: t("operate.figures.change.longest", { duration: formatDuration(longest, t) }),
    };
  }
  const period =
    total === "sum"
      ? t("operate.figures.change.period", { days: beforeDays })
      : t("operate.figures.change.ago", { days: beforeDays });
  if (value === null || before === null)
    return { direction: "unknown", text: t("operate.figures.change.unknown") };
  if (value === before) return { direction: "same", text: t("operate.figures.change.same", { period }) };
  const direction = value > before ? "up" : "down";
  const word = value > before ? "more" : "less";
  if (total === "sum" && before > 0) {
    const share = Math.round((Math.abs(value - before) / before) * 100);
    const percent = share < 1 ? "< 1" : wholeFormat(share);
    return { direction, text: t(`operate.figures.change.${word}`, { amount: `${percent} %`, period }) };
  }
  if (total === "sum" && before === 0)
    return { direction, text: t("operate.figures.change.fromNone", { period }) };
  const difference = Math.abs(value - before);
  const amount =
    unit === "percent"
      ? t("operate.figures.unit.points", { amount: decimalFormat(difference) })
      : formatValue(difference, series, t);
  return { direction, text: t(`operate.figures.change.${word}`, { amount, period }) };
}

/** The days of a series with their values, earliest first. */
export function pointsOf(series: FigureSeries, from: string): { day: string; value: number | null }[] {
  return series.values.map((value, nth) => ({ day: dayAfter(from, nth), value }));
}

/** The number of days whose average is usual. */
const USUAL_DAYS = 7;

/** The value of the last day, and the average of the seven days before of which the value is known. */
export function todayAndUsual({ values }: Pick<FigureSeries, "values">): {
  today: number | null;
  usual: number | null;
} {
  const known = values.slice(-1 - USUAL_DAYS, -1).filter((value) => value !== null);
  const sum = known.reduce((sum, value) => sum + value, 0);
  return { today: values.at(-1) ?? null, usual: known.length === 0 ? null : sum / known.length };
}

/** The series as CSV. A day without a known value has an empty field. */
export function csvOf(series: FigureSeries, from: string): string {
  const rows = pointsOf(series, from).map(({ day, value }) => `${day},${value ?? ""}`);
  return [`day,${series.figure} (${series.unit})`, ...rows, ""].join("\r\n");
}
