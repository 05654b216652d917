// What happens on each day of the calendar.

import type { CalendarEntry, CalendarHoliday, CalendarTask, TenderCalendar } from "@/api/types.ts";
import { isOpen } from "@/shared/bids.ts";
import { dayOf } from "@/shared/format/dates.ts";
import { shortTitles } from "./shortTitles.ts";

/** What happens on the days of the calendar. */
export interface DayEvents {
  entries: ReadonlyMap<string, CalendarEntry[]>;
  tasks: ReadonlyMap<string, CalendarTask[]>;
  holidays: ReadonlyMap<string, CalendarHoliday>;
  /** The short forms of titles that begin alike. */
  shortTitles: ReadonlyMap<string, string>;
}

/** Groups items by a key, in their order. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** The deadlines that matter only before a bid is submitted. */
const BEFORE_DELIVERY: ReadonlySet<CalendarEntry["kind"]> = new Set(["sale-ends", "clarification"]);

/** Whether somebody still has to do with a deadline. A bank's paper expires after the decision, too. */
function isOutstanding({ stage, kind }: CalendarEntry): boolean {
  if (stage === "submitted") return !BEFORE_DELIVERY.has(kind);
  return stage === null || isOpen(stage) || kind === "bond-expiry";
}

/** Collects what happens by day. Deadlines with which nobody has to do any more are left out. */
export function eventsOf(calendar: TenderCalendar | undefined): DayEvents {
  const { tasks = [], holidays = [] } = calendar ?? {};
  const entries = (calendar?.entries ?? []).filter(isOutstanding);
  return {
    entries: groupBy(entries, ({ at }) => dayOf(at)),
    tasks: groupBy(tasks, ({ due }) => due),
    holidays: new Map(holidays.map((holiday) => [holiday.day, holiday])),
    shortTitles: shortTitles([
      ...entries.map(({ title }) => title),
      ...tasks.map(({ tenderTitle }) => tenderTitle),
    ]),
  };
}

/** Whether there is something to do on a day. */
export function isBusy(day: string, { entries, tasks }: DayEvents): boolean {
  return entries.has(day) || tasks.has(day);
}
