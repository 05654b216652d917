// The names of months in the calendar.

import type { Translate } from "@/i18n/translate.ts";

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/** "Dec", of a day or a month such as "2026-12". */
export function shortMonth(day: string, t: Translate): string {
  return t(`shell.date.month.${MONTHS[Number(day.slice(5, 7)) - 1] ?? 1}`);
}

/** "Dec 2026". */
export function monthName(day: string, t: Translate): string {
  return `${shortMonth(day, t)} ${day.slice(0, 4)}`;
}
