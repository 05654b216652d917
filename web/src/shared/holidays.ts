// The days near a closing on which offices are closed.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import type { components } from "@/api/schema.gen.ts";
import type { CalendarHoliday } from "@/api/types.ts";
import { addDays, dayOf } from "@/shared/format/dates.ts";
import { HOUR } from "@/shared/queryDefaults.ts";

/** The number of days that the server returns at once. */
export const MAX_CALENDAR_DAYS = 62;

/** The Poya days and public holidays of the two months that begin on a day. Everyone may read them. */
export function holidaysAfter(day: string) {
  return queryOptions({
    queryKey: ["holidays", day],
    meta: { cachedOffline: true },
    queryFn: async ({ signal }) => {
      const query = { from: day, to: addDays(day, MAX_CALENDAR_DAYS - 1) };
      return (await call(api.GET("/calendar/holidays", { params: { query }, signal }))).holidays;
    },
    staleTime: HOUR,
    gcTime: HOUR,
  });
}

/** Whether a day is a Saturday or a Sunday. */
export function isWeekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
}

/** A day on which offices are closed, and why. */
export interface ClosedDay {
  day: string;
  reason: components["schemas"]["ClosedReason"];
}

/**
 * The closed days that a bidder should know of before a closing: the day of the closing, and the day before it
 * if it is a holiday. A closing after a weekend is too common to mention. What is over is left out.
 */
export function closedDaysNear(
  closing: string,
  holidays: readonly CalendarHoliday[],
  today: string,
): ClosedDay[] {
  const closingDay = dayOf(closing);
  const holidayOn = (day: string): ClosedDay[] => {
    const holiday = holidays.find((one) => one.day === day);
    return holiday ? [{ day, reason: holiday.isPoya ? "poya" : "public" }] : [];
  };
  const ofClosing = holidayOn(closingDay);
  const weekend: ClosedDay[] = isWeekend(closingDay) ? [{ day: closingDay, reason: "weekend" }] : [];
  const near = [...holidayOn(addDays(closingDay, -1)), ...(ofClosing.length > 0 ? ofClosing : weekend)];
  return near.filter(({ day }) => day >= today);
}
