// What happens on a day of the calendar: a holiday, the deadlines of tenders, and the tasks that are due.

import {
  AlarmClock,
  CalendarX2,
  CircleHelp,
  Landmark,
  ListTodo,
  type LucideIcon,
  MailOpen,
  ShoppingCart,
  Users,
} from "lucide-react";
import { Link } from "react-router";
import type { CalendarEntry, CalendarHoliday, CalendarTask } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isInWork, isOpen } from "@/shared/bids.ts";
import { useNow } from "@/shared/clock.ts";
import { daysUntil, formatTimeOfDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { type Urgency, urgencyOf } from "@/shared/tender/countdown.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { holidayName } from "../holidayName.ts";
import { type DayEvents, groupBy } from "./dayEvents.ts";

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

/** What the colours mean. */
export function ColourLegend() {
  const { t } = useTranslation();
  return (
    <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
      {(["urgent", "soon", "calm"] as const).map((urgency) => (
        <li key={urgency} className="flex items-center gap-1.5">
          <span aria-hidden className={`size-3.5 rounded-sm border-l-3 ${styles[urgency]}`} />
          {t(`bids.calendar.colour.${urgency}`)}
        </li>
      ))}
    </ul>
  );
}

const styles: Record<Urgency, string> = {
  urgent: "border-urgent bg-urgent-wash",
  soon: "border-soon bg-soon-wash",
  calm: "border-calm bg-calm-wash",
};

/** The deadlines by which something must be done. */
const PRESSING: ReadonlySet<CalendarEntry["kind"]> = new Set(["sale-ends", "pre-bid", "closing"]);

/**
 * The colours of the deadlines of a tender on one day. They press who still works on the bid, until they are
 * over.
 */
function entryStyle(entries: readonly CalendarEntry[], isPast: boolean, now: number): string {
  if (isPast) return "border-edge bg-well text-ink-soft";
  const pressing = entries.find(
    ({ kind, stage, isCancelled }) =>
      PRESSING.has(kind) && !isCancelled && (stage === null || isInWork(stage)),
  );
  return styles[pressing ? urgencyOf(daysUntil(pressing.at, now)) : "calm"];
}

/** The deadlines of a tender on one day, and the stage of its bid. */
function TenderLink({ entries, isClamped, isPast }: EntriesProps) {
  const { t } = useTranslation();
  const now = useNow();
  const [first] = entries;
  if (!first) return null;
  const { title, organization, tenderId, bidId, stage } = first;
  return (
    <Link
      to={bidId ? paths.bid(bidId) : paths.tender(tenderId)}
      className={`block rounded-md border-l-3 px-1.5 py-1 text-[0.8125rem] leading-snug hover:underline ${entryStyle(entries, isPast, now)}`}
    >
      {entries.map((entry) => (
        <EntryKind key={entry.kind} entry={entry} />
      ))}
      <span className={`wrap-anywhere ${isClamped ? "line-clamp-2" : "block"}`}>
        <PrintedTitle printed={title} />
      </span>
      {/* Two tenders may have the same beginning of a title. */}
      <span className="line-clamp-1 text-ink-soft wrap-anywhere">
        <PrintedTitle printed={organization} />
      </span>
      <span className="block text-ink-soft">{t(stage ? `bids.stage.${stage}` : "shell.nav.saved")}</span>
    </Link>
  );
}

interface TaskLinkProps {
  task: CalendarTask;
  isClamped: boolean;
  isPast: boolean;
}

/** A task that is due, which leads to its bid. One that is late still presses, unless the bid is decided. */
function TaskLink({ task, isClamped, isPast }: TaskLinkProps) {
  const { t } = useTranslation();
  const days = daysUntil(task.due, useNow());
  const style = styles[isOpen(task.stage) ? urgencyOf(days) : "calm"];
  return (
    <Link
      to={paths.bid(task.bidId)}
      className={`block rounded-md border-l-3 px-1.5 py-1 text-[0.8125rem] leading-snug hover:underline ${style}`}
    >
      <span className="flex items-start gap-1 font-semibold">
        <ListTodo size={13} aria-hidden className="mt-0.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          <span className="sr-only">{t("bids.calendar.task")}: </span>
          {task.title}
          {isPast && ` (${t("bids.calendar.late")})`}
        </span>
      </span>
      <span className={`wrap-anywhere ${isClamped ? "line-clamp-2" : "block"}`}>
        <PrintedTitle printed={task.tenderTitle} />
      </span>
      {task.assignee && <span className="block text-ink-soft">{task.assignee}</span>}
    </Link>
  );
}

/** The entries of a day by tender, in the order of the day. */
function byTender(entries: readonly CalendarEntry[]): CalendarEntry[][] {
  return [...groupBy(entries, ({ tenderId }) => tenderId).values()];
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

export function DayContent({ day, today, events, isClamped }: DayContentProps) {
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
        {(events.tasks.get(day) ?? []).map((task) => (
          <li key={task._id}>
            <TaskLink task={task} isClamped={isClamped} isPast={isPast} />
          </li>
        ))}
      </ul>
    </>
  );
}
