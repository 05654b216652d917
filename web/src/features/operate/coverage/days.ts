// Days as text, as in 2026-11-20.

import { t } from "@/i18n/i18n.ts";
import { formatTimeOfDay } from "@/shared/format/dates.ts";

const DAY_MS = 86_400_000;

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** The number of days that the grid shows. */
export const SHOWN_DAYS = 14;

/** The day that is `count` days after a day. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** All days from `from` to `to`. */
export function daysBetween(from: string, to: string): string[] {
  const days = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The text if it is a day between 2000 and 2100, else `null`. */
export function parseDay(text: string | null): string | null {
  if (!text || !/^(20\d\d|2100)-\d\d-\d\d$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : text;
}

/** A time of day in Colombo, as in 06:30, in words. */
export const timeText = (time: string) => formatTimeOfDay(`2026-01-01T${time}:00+05:30`) ?? time;

/** The short name of a day's weekday. */
export function weekdayOf(day: string): string {
  return t(`shell.date.weekday.${WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? "Sun"}`);
}

/** The number of the day in its month. */
export const dayNumber = (day: string) => Number(day.slice(8));

type Month = "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10" | "11" | "12";

/** The short name of a day's month. */
export function monthOf(day: string): string {
  return t(`shell.date.month.${String(Number(day.slice(5, 7))) as Month}`);
}
