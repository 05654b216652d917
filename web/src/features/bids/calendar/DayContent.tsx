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
import type { CalendarEntry, CalendarTask } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isInWork, isOpen } from "@/shared/bids.ts";
import { useNow } from "@/shared/clock.ts";
import { daysUntil, formatTimeOfDay } from "@/shared/format/dates.ts";
import { isWeekend } from "@/shared/holidays.ts";
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
  /** The short forms of titles; `null`: titles are shown in full. */
  shortTitles: DayEvents["shortTitles"] | null;
  /** Whether the day is over. */
  isPast: boolean;
}

/** The title of a tender. A short form has the whole title as its tooltip. */
function CellTitle({ printed, shortTitles }: { printed: string } & Pick<EntriesProps, "shortTitles">) {
  const short = shortTitles?.get(printed);
  return (
    <span className={`wrap-anywhere ${shortTitles ? "line-clamp-2" : "block"}`}>
      {short ? <span title={printed}>{short}</span> : <PrintedTitle printed={printed} />}
    </span>
  );
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

/** Whether a deadline presses: something must be done until then for a bid in work or a saved tender. */
function isPressing({ kind, stage, isCancelled }: CalendarEntry): boolean {
  return PRESSING.has(kind) && !isCancelled && (stage === null || isInWork(stage));
}

/**
 * The colours of the deadlines of a tender on one day. They press who still works on the bid, until they are
 * over.
 */
function entryStyle(entries: readonly CalendarEntry[], isPast: boolean, now: number): string {
  if (isPast) return "border-edge bg-well text-ink-soft";
  const pressing = entries.find(isPressing);
  return styles[pressing ? urgencyOf(daysUntil(pressing.at, now)) : "calm"];
}

/** The deadlines of a tender on one day, and the stage of its bid. */
function TenderLink({ entries, shortTitles, isPast }: EntriesProps) {
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
      <CellTitle printed={title} shortTitles={shortTitles} />
      {/* Two tenders may have the same title. */}
      <span className="line-clamp-1 text-ink-soft wrap-anywhere">
        <PrintedTitle printed={organization} />
      </span>
      <span className="block text-ink-soft">{t(stage ? `bids.stage.${stage}` : "shell.nav.saved")}</span>
    </Link>
  );
}

interface TaskLinkProps extends Pick<EntriesProps, "shortTitles" | "isPast"> {
  task: CalendarTask;
}

/** A task that is due, which leads to its bid. One that is late still presses, unless the bid is decided. */
function TaskLink({ task, shortTitles, isPast }: TaskLinkProps) {
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
      <CellTitle printed={task.tenderTitle} shortTitles={shortTitles} />
      {task.assignee && <span className="block text-ink-soft">{task.assignee}</span>}
    </Link>
  );
}

/** The entries of a day by tender, in the order of the day. */
function byTender(entries: readonly CalendarEntry[]): CalendarEntry[][] {
  return [...groupBy(entries, ({ tenderId }) => tenderId).values()];
}

/** Why offices are closed on a day. */
function ClosedDayNote({ isPast, children }: { isPast: boolean; children: string }) {
  return (
    <p
      className={`mb-1 flex items-start gap-1 text-[0.8125rem] leading-snug ${isPast ? "text-ink-soft" : "text-soon"}`}
    >
      <CalendarX2 size={13} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0">{children}</span>
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

/** What happens on a day. A weekend is named only if something must be done in offices on it. */
export function DayContent({ day, today, events, isClamped }: DayContentProps) {
  const { t } = useTranslation();
  const holiday = events.holidays.get(day);
  const ofDay = events.entries.get(day) ?? [];
  const isPast = day < today;
  const shortTitles = isClamped ? events.shortTitles : null;
  return (
    <>
      {holiday && <ClosedDayNote isPast={isPast}>{holidayName(holiday.name, t)}</ClosedDayNote>}
      {!holiday && isWeekend(day) && ofDay.some(isPressing) && (
        <ClosedDayNote isPast={isPast}>{t("bids.calendar.weekend")}</ClosedDayNote>
      )}
      <ul className="grid gap-1">
        {byTender(ofDay).map((entries) => (
          <li key={entries[0]?.tenderId}>
            <TenderLink entries={entries} shortTitles={shortTitles} isPast={isPast} />
          </li>
        ))}
        {(events.tasks.get(day) ?? []).map((task) => (
          <li key={task._id}>
            <TaskLink task={task} shortTitles={shortTitles} isPast={isPast} />
          </li>
        ))}
      </ul>
    </>
  );
}
