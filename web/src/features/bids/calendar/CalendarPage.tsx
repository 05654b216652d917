// The calendar of the deadlines of bids and saved tenders, by month or by week. A narrow window shows
// the days as a list.

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, ChevronLeft, ChevronRight } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { CalendarEntry, CalendarHoliday } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { dayOf, formatDay, formatTimeOfDay } from "@/shared/format/dates.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { Button } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { CalendarAddress } from "./CalendarAddress.tsx";
import { calendarOf } from "./calendarApi.ts";
import { type CalendarView, isDay, sameMonth, stepFrom, VIEWS, weeksOf } from "./days.ts";

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/** What happens on the days of the calendar. */
interface DayEvents {
  entries: ReadonlyMap<string, CalendarEntry[]>;
  holidays: ReadonlyMap<string, CalendarHoliday>;
}

function EntryLink({ entry }: { entry: CalendarEntry }) {
  const { t } = useTranslation();
  const { kind, at, title, tenderId, bidId, isCancelled, isDoubtful } = entry;
  const hour = formatTimeOfDay(at);
  return (
    <Link
      to={bidId ? paths.bid(bidId) : paths.tender(tenderId)}
      className={`block rounded-md px-1.5 py-1 text-[0.8125rem] leading-snug hover:underline ${kind === "closing" ? "bg-soon-wash" : "bg-accent-wash"} ${isCancelled ? "line-through" : ""}`}
    >
      <span className="block font-semibold">
        {t(`bids.deadline.kind.${kind}`)}
        {hour && `, ${hour}`}
        {isDoubtful && ` (${t("tenders.doubt.uncertainClosing")})`}
        {isCancelled && ` (${t("tenders.status.cancelled")})`}
      </span>
      <span className="line-clamp-2 wrap-anywhere">
        <PrintedTitle printed={title} />
      </span>
    </Link>
  );
}

function DayContent({ day, events }: { day: string; events: DayEvents }) {
  const holiday = events.holidays.get(day);
  return (
    <>
      {holiday && <p className="text-[0.8125rem] text-soon">{holiday.name}</p>}
      <ul className="grid gap-1">
        {events.entries.get(day)?.map((entry) => (
          <li key={`${entry.tenderId} ${entry.kind}`}>
            <EntryLink entry={entry} />
          </li>
        ))}
      </ul>
    </>
  );
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
                className={`h-24 border border-line p-1.5 align-top ${isMonth && !sameMonth(day, shown) ? "bg-well" : "bg-sheet"}`}
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
                  </time>
                </p>
                <DayContent day={day} events={events} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The days on which something happens. */
function DayList({ weeks, shown, isMonth, events }: DaysProps) {
  const { t } = useTranslation();
  const days = weeks.flat().filter((day) => !isMonth || sameMonth(day, shown));
  const busy = days.filter((day) => events.entries.has(day) || events.holidays.has(day));
  if (busy.length === 0) return <p className="text-ink-soft md:hidden">{t("bids.calendar.nothing")}</p>;
  return (
    <ol className="grid gap-4 md:hidden">
      {busy.map((day) => (
        <li key={day}>
          <h2 className="mb-1 text-[0.9375rem] font-semibold">{formatDay(day)}</h2>
          <DayContent day={day} events={events} />
        </li>
      ))}
    </ol>
  );
}

/** Collects what happens by day. */
function eventsOf(entries: readonly CalendarEntry[], holidays: readonly CalendarHoliday[]): DayEvents {
  const byDay = new Map<string, CalendarEntry[]>();
  for (const entry of entries) {
    const day = dayOf(entry.at);
    byDay.set(day, [...(byDay.get(day) ?? []), entry]);
  }
  return { entries: byDay, holidays: new Map(holidays.map((holiday) => [holiday.day, holiday])) };
}

function Controls({ view, shown, today }: { view: CalendarView; shown: string; today: string }) {
  const { t } = useTranslation();
  const [, setParameters] = useSearchParams();
  const show = (view: CalendarView, day: string) => setParameters({ view, day }, { replace: true });
  const month = MONTHS[Number(shown.slice(5, 7)) - 1] ?? 1;
  const name = `${t(`shell.date.month.${month}`)} ${shown.slice(0, 4)}`;
  const step = "px-2!";
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <h2 aria-live="polite" className="mr-auto text-lg font-semibold">
        {view === "month" ? name : t("bids.calendar.weekOf", { day: formatDay(shown) })}
      </h2>
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
  const weeks = weeksOf(view, shown);
  const first = weeks[0]?.[0] ?? today;
  const last = weeks.at(-1)?.at(-1) ?? today;
  const { data, error, refetch } = useQuery(calendarOf(first, last));
  const events = eventsOf(data?.entries ?? [], data?.holidays ?? []);
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
      <DayList {...days} />
      <p className="mt-3 text-sm text-ink-soft">{t("bids.calendar.source")}</p>
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
