// Days and times in Colombo. The names of days and months come from the catalogue, because not every
// browser has the Sinhala names.

import type { en } from "@/i18n/en/index.ts";
import { t } from "@/i18n/i18n.ts";

const ZONE = "Asia/Colombo";
const DAY_MS = 86_400_000;

/** Returns a function that creates a value at its first call. Date formats are slow to create. */
function createOnce<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Splits a time into its parts, which `formatDay` and `formatTimeOfDay` put together. */
const momentFormat = createOnce(
  () =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: ZONE,
      weekday: "short",
      day: "numeric",
      month: "numeric",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    }),
);

const isoDay = createOnce(
  () =>
    new Intl.DateTimeFormat("en-CA", {
      timeZone: ZONE,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    }),
);

function splitMoment(moment: string): Record<string, string> | null {
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return null;
  return Object.fromEntries(
    momentFormat()
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
}

type DateTexts = (typeof en)["shell"]["date"];

/** "Tue 14 May 2024" in the page's language. Invalid input is returned unchanged. */
export function formatDay(moment: string): string {
  const found = splitMoment(moment);
  if (!found) return moment;
  const day = Number(found.day);
  const year = found.year ?? "";
  const weekday = t(`shell.date.weekday.${found.weekday as keyof DateTexts["weekday"]}`);
  const month = t(`shell.date.month.${String(Number(found.month)) as keyof DateTexts["month"]}`);
  return t("shell.date.day", { weekday, day, month, year });
}

/**
 * "2.30 p.m."; `null` for an invalid time, and for the first or last second of a day, which stand
 * for a date without a time.
 */
export function formatTimeOfDay(moment: string): string | null {
  const found = splitMoment(moment);
  if (!found) return null;
  const { hour = "0", minute = "00", second = "00" } = found;
  const clock = `${hour}:${minute}:${second}`;
  if (clock === "23:59:59" || clock === "00:00:00") return null;
  const hours = Number(hour);
  const time = `${hours % 12 === 0 ? 12 : hours % 12}.${minute}`;
  return t(hours < 12 ? "shell.date.am" : "shell.date.pm", { time });
}

/** "Tue 14 May 2024, 2.30 p.m.", or the day alone. */
export function formatMoment(moment: string): string {
  const hour = formatTimeOfDay(moment);
  return hour ? t("shell.date.moment", { day: formatDay(moment), hour }) : formatDay(moment);
}

/**
 * "Tue 14 May 2024, 2.30 p.m.", or the day with a note that the hour is not stated. The notice may state an
 * hour that was not read if the closing is not certain.
 */
export function formatClosing(moment: string, isCertain = true): string {
  if (!splitMoment(moment) || formatTimeOfDay(moment)) return formatMoment(moment);
  const day = formatDay(moment);
  return t(isCertain ? "shell.date.dayWithoutHour" : "shell.date.dayOfUnreadHour", { day });
}

/** Days in Colombo from `now` to `moment`: 0 on the same day, negative in the past. */
export function daysUntil(moment: string, now: number): number {
  const midnight = (at: number) => Date.parse(`${isoDay().format(at)}T00:00:00Z`);
  return Math.round((midnight(Date.parse(moment)) - midnight(now)) / DAY_MS);
}

/** `2024-05-14`, the day in Colombo; empty for a missing or invalid time. */
export function dayOf(moment: string | number | null | undefined): string {
  if (moment == null) return "";
  const at = typeof moment === "number" ? moment : Date.parse(moment);
  return Number.isNaN(at) ? "" : isoDay().format(at);
}

/**
 * `14:30`, the time in Colombo; empty if the moment is missing, is invalid, or stands for a whole
 * day.
 */
export function timeOf(moment: string | null | undefined): string {
  const found = moment == null ? null : splitMoment(moment);
  return found && moment != null && formatTimeOfDay(moment) ? `${found.hour}:${found.minute}` : "";
}

/** The ISO day `count` days after another one, such as "2026-12-24". */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}
