// Days and times in Colombo. The names of days and months come from the catalogue, because not every
// browser has the Sinhala names.

import type { en } from "@/i18n/en/index.ts";
import { t } from "@/i18n/i18n.ts";

const DAY_MS = 86_400_000;
/** Colombo has been 5 hours and 30 minutes ahead of UTC since April 2006, in summer too. */
const AHEAD_MS = 330 * 60_000;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/**
 * The parts of a time in Colombo, as the parts of a time in UTC; `null` for an invalid time. The browser's own
 * formats with a time zone are too slow for a list on a phone.
 */
function inColombo(moment: string | number): Date | null {
  const at = typeof moment === "number" ? moment : Date.parse(moment);
  const shifted = new Date(at + AHEAD_MS);
  return Number.isNaN(shifted.getTime()) ? null : shifted;
}

type DateTexts = (typeof en)["shell"]["date"];

/** "Tue 14 May 2024" in the page's language. Invalid input is returned unchanged. */
export function formatDay(moment: string): string {
  const at = inColombo(moment);
  if (!at) return moment;
  const weekday = t(`shell.date.weekday.${WEEKDAYS[at.getUTCDay()] ?? "Sun"}`);
  const month = t(`shell.date.month.${String(at.getUTCMonth() + 1) as keyof DateTexts["month"]}`);
  const year = String(at.getUTCFullYear());
  return t("shell.date.day", { weekday, day: at.getUTCDate(), month, year });
}

/**
 * "2.30 p.m."; `null` for an invalid time, and for the first or last second of a day, which stand
 * for a date without a time.
 */
export function formatTimeOfDay(moment: string): string | null {
  const at = inColombo(moment);
  const clock = at?.toISOString().slice(11, 19);
  if (!at || clock === "23:59:59" || clock === "00:00:00") return null;
  const hours = at.getUTCHours();
  const time = `${hours % 12 === 0 ? 12 : hours % 12}.${String(at.getUTCMinutes()).padStart(2, "0")}`;
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
  if (!inColombo(moment) || formatTimeOfDay(moment)) return formatMoment(moment);
  const day = formatDay(moment);
  return t(isCertain ? "shell.date.dayWithoutHour" : "shell.date.dayOfUnreadHour", { day });
}

/** Days in Colombo from `now` to `moment`: 0 on the same day, negative in the past. */
export function daysUntil(moment: string, now: number): number {
  const dayNumber = (at: number) => Math.floor((at + AHEAD_MS) / DAY_MS);
  return dayNumber(Date.parse(moment)) - dayNumber(now);
}

/** `2024-05-14`, the day in Colombo; empty for a missing or invalid time. */
export function dayOf(moment: string | number | null | undefined): string {
  const at = moment == null ? null : inColombo(moment);
  return at?.toISOString().slice(0, 10) ?? "";
}

/**
 * `14:30`, the time in Colombo; empty if the moment is missing, is invalid, or stands for a whole
 * day.
 */
export function timeOf(moment: string | null | undefined): string {
  const at = moment == null ? null : inColombo(moment);
  return moment != null && formatTimeOfDay(moment) ? (at?.toISOString().slice(11, 16) ?? "") : "";
}

/** The ISO day `count` days after another one, such as "2026-12-24". */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}
