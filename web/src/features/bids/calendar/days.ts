// The days of a month and of a week, as ISO days such as "2026-12-24". Weeks begin on Monday.

import { addDays } from "@/shared/format/dates.ts";
import { MAX_CALENDAR_DAYS } from "@/shared/holidays.ts";

export const VIEWS = ["month", "week"] as const;
export type CalendarView = (typeof VIEWS)[number];

function toMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Whether a text is a day of the calendar. */
export function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(toMs(text)) && addDays(text, 0) === text;
}

/** The Monday of the week of a day. */
function mondayOf(day: string): string {
  return addDays(day, -((new Date(toMs(day)).getUTCDay() + 6) % 7));
}

/** The seven days of the week of a day. */
function weekOf(day: string): string[] {
  const monday = mondayOf(day);
  return Array.from({ length: 7 }, (_, nth) => addDays(monday, nth));
}

/** The weeks that a view shows: those of the month of a day, or the week of the day. */
export function weeksOf(view: CalendarView, day: string): string[][] {
  if (view === "week") return [weekOf(day)];
  const weeks: string[][] = [];
  const first = monthStart(day);
  for (let monday = mondayOf(first); monday <= first || sameMonth(monday, day); monday = addDays(monday, 7)) {
    weeks.push(weekOf(monday));
  }
  return weeks;
}

/** The number of weeks after the present one that the present month shows at least. */
const COMING_WEEKS = 4;

/**
 * The weeks of a month. The present month goes on, so that its last days show what comes next. For a day of
 * the present week, it begins with that week: what is over is left out.
 */
export function shownWeeks(view: CalendarView, day: string, today: string): string[][] {
  const weeks = weeksOf(view, day);
  if (view === "week") return weeks;
  const present = weeks.findIndex((week) => week.includes(today));
  if (present < 0 || !sameMonth(day, today)) return weeks;
  while (weeks.length <= present + COMING_WEEKS) {
    weeks.push(weekOf(addDays(weeks.at(-1)?.[0] ?? today, 7)));
  }
  return weeks[present]?.includes(day) ? weeks.slice(present) : weeks;
}

/** The first day of the month of a day. */
export function monthStart(day: string): string {
  return `${day.slice(0, 8)}01`;
}

/** Whether two days are in the same month. */
export function sameMonth(one: string, other: string): boolean {
  return one.slice(0, 7) === other.slice(0, 7);
}

/** A day of the next or the previous month or week. */
export function stepFrom(view: CalendarView, day: string, step: 1 | -1): string {
  if (view === "week") return addDays(day, 7 * step);
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + step, 1)).toISOString().slice(0, 10);
}

/** The last day that is read together with `first`. */
export function lastReadDay(first: string): string {
  return addDays(first, MAX_CALENDAR_DAYS - 1);
}

/** The days of a list that begins today, or with the first day of another month or week. */
export function agendaDays(view: CalendarView, shown: string, today: string): string[] {
  const first = shownWeeks(view, shown, today)[0]?.[0] ?? shown;
  const begin = view === "week" ? first : monthStart(shown);
  const isPresent = view === "week" ? today >= first && today <= addDays(first, 6) : sameMonth(shown, today);
  const days: string[] = [];
  for (let day = isPresent ? today : begin; day <= lastReadDay(first); day = addDays(day, 1)) days.push(day);
  return days;
}
