// The calendar of the deadlines of bids and saved tenders, by month or by week. A narrow window shows the
// days with deadlines as a list that begins today.

import { useQuery } from "@tanstack/react-query";
import {
  AlarmClock,
  ArrowLeft,
  CalendarX2,
  ChevronLeft,
  ChevronRight,
  CircleHelp,
  Landmark,
  type LucideIcon,
  MailOpen,
  ShoppingCart,
  Users,
} from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { CalendarEntry, CalendarHoliday } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { isInWork, isOpen } from "@/shared/bids.ts";
import { useNow } from "@/shared/clock.ts";
import { dayOf, formatDay, formatTimeOfDay } from "@/shared/format/dates.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { Button } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { holidayName } from "../holidayName.ts";
import { CalendarAddress } from "./CalendarAddress.tsx";
import { calendarOf } from "./calendarApi.ts";
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

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/** "Dec", of a day or a month such as "2026-12". */
function shortMonth(day: string, t: Translate): string {
  return t(`shell.date.month.${MONTHS[Number(day.slice(5, 7)) - 1] ?? 1}`);
}

/** "Dec 2026". */
function monthName(day: string, t: Translate): string {
  return `${shortMonth(day, t)} ${day.slice(0, 4)}`;
}

/** The months that a heading names: the one that is shown, and the last one if the present month goes on. */
function monthsOf(weeks: readonly string[][], shown: string, today: string, t: Translate): string {
  const last = weeks.at(-1)?.at(-1) ?? shown;
  const goesOn = sameMonth(shown, today) && !sameMonth(weeks.at(-1)?.[0] ?? shown, shown);
  return goesOn ? `${monthName(shown, t)} – ${monthName(last, t)}` : monthName(shown, t);
}

/** What happens on the days of the calendar. */
interface DayEvents {
  entries: ReadonlyMap<string, CalendarEntry[]>;
  holidays: ReadonlyMap<string, CalendarHoliday>;
}

const icons: Record<CalendarEntry["kind"], LucideIcon> = {
  "sale-ends": ShoppingCart,
  "pre-bid": Users,
  clarification: CircleHelp,
  closing: AlarmClock,
  opening: MailOpen,
  "bond-expiry": Landmark,
};

interface EntriesProps {
  entries: readonly CalendarEntry[];
  /** Whether a long title is cut. */
  isClamped: boolean;
  /** Whether the day is over. */
  isPast: boolean;
}

/** What a deadline is, with its hour. */
function EntryKind({ entry }: { entry: CalendarEntry }) {
  const { t } = useTranslation();
  const { kind, at, isCancelled, isDoubtful } = entry;
  const hour = formatTimeOfDay(at);
  const Icon = icons[kind];
  return (
    <span className={`flex items-start gap-1 font-semibold ${isCancelled ? "line-through" : ""}`}>
      <Icon size={13} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0">
        {t(`bids.deadline.kind.${kind}`)}
        {hour && (
          <>
            , <span className="whitespace-nowrap">{hour}</span>
          </>
        )}
        {isDoubtful && ` (${t("tenders.doubt.uncertainClosing")})`}
        {isCancelled && ` (${t("tenders.status.cancelled")})`}
      </span>
    </span>
  );
}

/** The colours of the deadlines of a tender. The closing presses who still works on the bid, until it is over. */
function entryStyle(entries: readonly CalendarEntry[], isPast: boolean): string {
  if (isPast) return "border-edge bg-well text-ink-soft";
  const presses = ({ kind, stage, isCancelled }: CalendarEntry) =>
    kind === "closing" && !isCancelled && (stage === null || isInWork(stage));
  return entries.some(presses) ? "border-soon bg-soon-wash" : "border-accent bg-accent-wash";
}

/** The deadlines of a tender on one day, and the stage of its bid. */
function TenderLink({ entries, isClamped, isPast }: EntriesProps) {
  const { t } = useTranslation();
  const [first] = entries;
  if (!first) return null;
  const { title, tenderId, bidId, stage } = first;
  return (
    <Link
      to={bidId ? paths.bid(bidId) : paths.tender(tenderId)}
      className={`block rounded-md border-l-3 px-1.5 py-1 text-[0.8125rem] leading-snug hover:underline ${entryStyle(entries, isPast)}`}
    >
      {entries.map((entry) => (
        <EntryKind key={entry.kind} entry={entry} />
      ))}
      <span className={`wrap-anywhere ${isClamped ? "line-clamp-2" : "block"}`}>
        <PrintedTitle printed={title} />
      </span>
      <span className="block text-ink-soft">{t(stage ? `bids.stage.${stage}` : "shell.nav.saved")}</span>
    </Link>
  );
}

/** The entries of a day by tender, in the order of the day. */
function byTender(entries: readonly CalendarEntry[]): CalendarEntry[][] {
  const tenders = new Map<string, CalendarEntry[]>();
  for (const entry of entries) {
    tenders.set(entry.tenderId, [...(tenders.get(entry.tenderId) ?? []), entry]);
  }
  return [...tenders.values()];
}

function HolidayName({ holiday, isPast }: { holiday: CalendarHoliday; isPast: boolean }) {
  const { t } = useTranslation();
  return (
    <p
      className={`mb-1 flex items-start gap-1 text-[0.8125rem] leading-snug ${isPast ? "text-ink-soft" : "text-soon"}`}
    >
      <CalendarX2 size={13} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0">{holidayName(holiday.name, t)}</span>
    </p>
  );
}

interface DayContentProps {
  day: string;
  today: string;
  events: DayEvents;
  /** Whether long titles are cut. */
  isClamped: boolean;
}

function DayContent({ day, today, events, isClamped }: DayContentProps) {
  const holiday = events.holidays.get(day);
  const isPast = day < today;
  return (
    <>
      {holiday && <HolidayName holiday={holiday} isPast={isPast} />}
      <ul className="grid gap-1">
        {byTender(events.entries.get(day) ?? []).map((entries) => (
          <li key={entries[0]?.tenderId}>
            <TenderLink entries={entries} isClamped={isClamped} isPast={isPast} />
          </li>
        ))}
      </ul>
    </>
  );
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

/** The months of some days in which there are deadlines, in order. */
function busyMonths(days: readonly string[], { entries }: DayEvents): string[] {
  return [...new Set(days.filter((day) => entries.has(day)).map((day) => day.slice(0, 7)))];
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
function Agenda({ days, today, events }: AgendaProps) {
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
                if (events.entries.has(day)) {
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

/** Whether somebody still has to do with a deadline. A bank's paper expires after the decision, too. */
function isOutstanding({ stage, kind }: CalendarEntry): boolean {
  return stage === null || isOpen(stage) || kind === "bond-expiry";
}

/** Collects what happens by day. Deadlines of decided bids are left out. */
function eventsOf(entries: readonly CalendarEntry[], holidays: readonly CalendarHoliday[]): DayEvents {
  const byDay = new Map<string, CalendarEntry[]>();
  for (const entry of entries.filter(isOutstanding)) {
    const day = dayOf(entry.at);
    byDay.set(day, [...(byDay.get(day) ?? []), entry]);
  }
  return { entries: byDay, holidays: new Map(holidays.map((holiday) => [holiday.day, holiday])) };
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
          : t("bids.calendar.weekOf", { day: formatDay(shown) })}
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
      <Agenda days={agendaDays(view, shown, today)} today={today} events={events} />
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
