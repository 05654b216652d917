// The calendar of the deadlines of bids and saved tenders, by month or by week. A narrow window shows the
// days with deadlines as a list that begins today.

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, ChevronLeft, ChevronRight } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { useNow } from "@/shared/clock.ts";
import { dayOf, formatDay } from "@/shared/format/dates.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { Button } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { Agenda } from "./Agenda.tsx";
import { CalendarAddress } from "./CalendarAddress.tsx";
import { calendarOf } from "./calendarApi.ts";
import { ColourLegend, DayContent } from "./DayContent.tsx";
import { type DayEvents, eventsOf } from "./dayEvents.ts";
import {
  agendaDays,
  type CalendarView,
  isDay,
  lastReadDay,
  monthStart,
  sameMonth,
  shownWeeks,
  stepFrom,
  VIEWS,
} from "./days.ts";
import { monthName, shortMonth } from "./monthNames.ts";

/** The months that a heading names: the one that is shown, and the last one if the present month goes on. */
function monthsOf(weeks: readonly string[][], shown: string, today: string, t: Translate): string {
  const last = weeks.at(-1)?.[0] ?? shown;
  const goesOn = sameMonth(shown, today) && !sameMonth(last, shown);
  return goesOn ? `${monthName(shown, t)} – ${monthName(last, t)}` : monthName(shown, t);
}

/** Whether the present month begins with the present week, without the weeks before it. */
function startsToday(view: CalendarView, shown: string, today: string): boolean {
  const weeks = shownWeeks(view, shown, today);
  return view === "month" && sameMonth(shown, today) && (weeks[0]?.includes(today) ?? false);
}

interface DaysProps {
  weeks: string[][];
  today: string;
  /** The day that the address names. Days of other months are dimmed. */
  shown: string;
  isMonth: boolean;
  events: DayEvents;
}

function DayTable({ weeks, today, shown, isMonth, events }: DaysProps) {
  const { t } = useTranslation();
  // Past weeks are low, so that the present one is in sight at once.
  const rowHeight = (week: readonly string[]) => {
    if (!isMonth) return "h-64";
    return sameMonth(shown, today) && (week.at(-1) ?? "") < today ? "h-10" : "h-24";
  };
  // In the present month, what comes is never dim.
  const isComing = (day: string) => sameMonth(shown, today) && day > today;
  const isDim = (day: string) => isMonth && (day < today || (!sameMonth(day, shown) && !isComing(day)));
  const names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
  return (
    <table className="hidden w-full table-fixed border-collapse md:table">
      <caption className="sr-only">{t("bids.calendar.title")}</caption>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col" className="border border-line bg-well px-2 py-1.5 text-left text-sm">
              {t(`shell.date.weekday.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td
                key={day}
                aria-current={day === today ? "date" : undefined}
                className={`${rowHeight(week)} border border-line p-1.5 align-top ${isDim(day) ? "bg-well" : "bg-sheet"}`}
              >
                <p className="mb-1 text-sm tabular-nums">
                  <time
                    dateTime={day}
                    className={
                      day === today
                        ? "rounded-full bg-accent px-2 py-0.5 font-semibold text-on-accent"
                        : "text-ink-soft"
                    }
                  >
                    {Number(day.slice(8))}
                    {(day.endsWith("-01") || day === weeks[0]?.[0]) && ` ${shortMonth(day, t)}`}
                  </time>
                </p>
                <DayContent day={day} today={today} events={events} isClamped={isMonth} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Controls({ view, shown, today }: { view: CalendarView; shown: string; today: string }) {
  const { t } = useTranslation();
  const [, setParameters] = useSearchParams();
  const show = (view: CalendarView, day: string) => setParameters({ view, day }, { replace: true });
  const step = "px-2!";
  const weeks = shownWeeks(view, shown, today);
  const hidesWeeks = startsToday(view, shown, today) && (weeks[0]?.[0] ?? "") > monthStart(today);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <h2 aria-live="polite" className="mr-auto text-lg font-semibold max-md:sr-only">
        {view === "month"
          ? monthsOf(weeks, shown, today, t)
          : t("bids.calendar.weekOf", { day: formatDay(weeks[0]?.[0] ?? shown) })}
      </h2>
      {hidesWeeks && (
        <Button
          variant="plain"
          size="small"
          className="max-md:hidden"
          onClick={() => show(view, monthStart(today))}
        >
          {t("bids.calendar.earlier", { month: shortMonth(today, t) })}
        </Button>
      )}
      <Button
        variant="outlined"
        size="small"
        className={step}
        aria-label={t(`bids.calendar.previous.${view}`)}
        onClick={() => show(view, stepFrom(view, shown, -1))}
      >
        <ChevronLeft size={17} aria-hidden />
      </Button>
      <Button variant="outlined" size="small" onClick={() => show(view, today)}>
        {t("bids.calendar.today")}
      </Button>
      <Button
        variant="outlined"
        size="small"
        className={step}
        aria-label={t(`bids.calendar.next.${view}`)}
        onClick={() => show(view, stepFrom(view, shown, 1))}
      >
        <ChevronRight size={17} aria-hidden />
      </Button>
      {VIEWS.map((other) => (
        <Button
          key={other}
          variant={view === other ? "filled" : "outlined"}
          size="small"
          className="max-md:hidden"
          aria-pressed={view === other}
          onClick={() => show(other, shown)}
        >
          {t(`bids.calendar.view.${other}`)}
        </Button>
      ))}
    </div>
  );
}

function Calendar() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const today = dayOf(useNow());
  const view = parseEnum(VIEWS, parameters.get("view")) ?? "month";
  const asked = parameters.get("day") ?? "";
  const shown = isDay(asked) ? asked : today;
  const weeks = shownWeeks(view, shown, today);
  const first = weeks[0]?.[0] ?? today;
  // The list of a narrow window goes on into the next month.
  const { data, error, refetch } = useQuery(calendarOf(first, lastReadDay(first)));
  const events = eventsOf(data);
  const days = { weeks, today, shown, isMonth: view === "month", events };
  return (
    <Page className="py-6">
      <Link
        to={paths.bids}
        className="inline-flex min-h-11 items-center gap-1.5 font-medium text-accent hover:underline"
      >
        <ArrowLeft size={16} aria-hidden />
        {t("bids.title")}
      </Link>
      <h1 className="mt-1 mb-5 text-2xl font-bold tracking-tight">{t("bids.calendar.title")}</h1>
      {error && !data && (
        <ErrorBanner
          title={messageOf(error, t("bids.loadFailed"))}
          action={
            <Button variant="outlined" size="small" onClick={() => void refetch()}>
              {t("shell.tryAgain")}
            </Button>
          }
        />
      )}
      <Controls view={view} shown={shown} today={today} />
      <DayTable {...days} />
      <Agenda days={agendaDays(view, shown, today)} today={today} events={events} />
      <ColourLegend />
      <p className="mt-2 text-sm text-ink-soft">{t("bids.calendar.source")}</p>
      <div className="mt-6">
        <CalendarAddress />
      </div>
    </Page>
  );
}

export function Component() {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("bids.calendar.title")}
        description={t("bids.calendar.description")}
        keywords={t("tenders.keywords")}
        unlisted
      />
      <Protected>{() => <Calendar />}</Protected>
    </>
  );
}
