// The days with deadlines as a list, for a narrow window.

import { CalendarX2 } from "lucide-react";
import type { CalendarHoliday } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { holidayName } from "../holidayName.ts";
import { DayContent } from "./DayContent.tsx";
import { type DayEvents, isBusy } from "./dayEvents.ts";
import { sameMonth } from "./days.ts";
import { monthName } from "./monthNames.ts";

/** The months of some days in which there are deadlines, in order. */
function busyMonths(days: readonly string[], events: DayEvents): string[] {
  return [...new Set(days.filter((day) => isBusy(day, events)).map((day) => day.slice(0, 7)))];
}

interface AgendaProps {
  days: readonly string[];
  today: string;
  events: DayEvents;
}

/** A holiday without a deadline, in its place among the days. */
function HolidayLine({ holiday: { day, name } }: { holiday: CalendarHoliday }) {
  const { t } = useTranslation();
  return (
    <li className="flex items-start gap-1.5 py-2 text-sm text-soon">
      <CalendarX2 size={14} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0">{`${formatDay(day)}: ${holidayName(name, t)}`}</span>
    </li>
  );
}

/** A day with its deadlines. */
function AgendaDay({ day, today, events }: { day: string; today: string; events: DayEvents }) {
  const { t } = useTranslation();
  return (
    <li aria-current={day === today ? "date" : undefined} className="py-3">
      <h3 className="mb-1.5 flex flex-wrap items-center gap-2 text-[0.9375rem] font-semibold">
        {formatDay(day)}
        {day === today && (
          <span className="rounded-full bg-accent px-2 py-0.5 text-[0.8125rem] text-on-accent">
            {t("bids.calendar.today")}
          </span>
        )}
      </h3>
      <DayContent day={day} today={today} events={events} isClamped={false} />
    </li>
  );
}

/** The days with deadlines and the holidays between them, for a narrow window. */
export function Agenda({ days, today, events }: AgendaProps) {
  const { t } = useTranslation();
  const months = busyMonths(days, events);
  const [first, last] = [days[0] ?? today, days.at(-1) ?? today];
  return (
    <div className="grid gap-5 md:hidden">
      <p className="text-sm text-ink-soft">
        {t("bids.calendar.range", { first: formatDay(first), last: formatDay(last) })}
      </p>
      {months.length === 0 && <p className="text-ink-soft">{t("bids.calendar.nothing")}</p>}
      {months.map((month) => (
        <section key={month} aria-label={monthName(month, t)}>
          <h2 className="mb-1 text-lg font-semibold">{monthName(month, t)}</h2>
          <ol className="divide-y divide-line rounded-xl border border-line bg-sheet px-3.5">
            {days
              .filter((day) => sameMonth(day, month))
              .map((day) => {
                const holiday = events.holidays.get(day);
                if (isBusy(day, events)) {
                  return <AgendaDay key={day} day={day} today={today} events={events} />;
                }
                return holiday && <HolidayLine key={day} holiday={holiday} />;
              })}
          </ol>
        </section>
      ))}
    </div>
  );
}
