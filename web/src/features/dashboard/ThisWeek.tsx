// What the user must do this week, in the order of the days.

import type { UseQueryResult } from "@tanstack/react-query";
import { Bookmark, Megaphone } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { CalendarTask } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { dayOf, daysUntil, formatDay, formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { ClosedDays } from "@/shared/tender/ClosedDays.tsx";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { BoardNote, ListNote, Rows, Section } from "./startListParts.tsx";
import type { Step, WeekItem } from "./week.ts";

/** A step of a tender, or a task, with its moment or its day. What is due within three days stands out. */
function StepLine({
  name,
  at,
  isPressing = true,
  note,
}: {
  name: string;
  /** A moment, or only a day. */
  at: string;
  /** Whether the user has to act until then. */
  isPressing?: boolean;
  note?: ReactNode;
}) {
  const { t } = useTranslation();
  const days = daysUntil(at, useNow());
  const urgency = days <= 3 ? "text-urgent" : "text-soon";
  const tone = isPressing ? urgency : "text-calm";
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 text-[0.9375rem]">
      <span className={`font-semibold ${tone}`}>
        <time dateTime={at}>{at.includes("T") ? formatMoment(at) : formatDay(at)}</time>
        {days === 0 && ` (${t("bids.calendar.today")})`}
        {days < 0 && ` (${t("bids.calendar.late")})`}
      </span>
      <span>{name}</span>
      {note}
    </li>
  );
}

const titleStyle = "leading-snug font-semibold break-words hover:text-accent hover:underline";

/** The user's own tender. Its steps are the publisher's work, and press nobody else. */
function OwnRow({ item: { tender, steps } }: { item: WeekItem & { kind: "own" } }) {
  const { t } = useTranslation();
  const { _id, title, statistics, language } = tender;
  return (
    <li className="grid gap-0.5 py-3">
      <h3 lang={language ?? undefined}>
        <Link to={paths.tender(_id)} className={`line-clamp-2 ${titleStyle}`}>
          <PrintedTitle printed={title} />
        </Link>
      </h3>
      <ul className="my-0.5 grid gap-0.5">
        {steps.map(({ kind, at }) => (
          <StepLine
            key={kind}
            name={t(`bids.deadline.kind.${kind}`)}
            at={at}
            note={kind === "closing" && <ClosedDays closing={at} />}
          />
        ))}
      </ul>
      <p className="flex items-start gap-1.5 text-sm font-medium text-accent">
        <Megaphone size={14} aria-hidden className="mt-0.5 shrink-0" />
        {`${t("account.dashboard.start.own")} · ${
          statistics.applications === 0
            ? t("account.dashboard.noApplications")
            : t("account.dashboard.applications", { count: statistics.applications })
        }`}
      </p>
    </li>
  );
}

/** A step of a bid or of a saved tender. */
function TenderStep({ step: { kind, at, isDoubtful } }: { step: Step }) {
  const { t } = useTranslation();
  return (
    <StepLine
      name={t(`bids.deadline.kind.${kind}`)}
      at={at}
      // Bids that are opened need nobody.
      isPressing={kind !== "opening"}
      note={
        <>
          {isDoubtful && <span className="text-[0.8125rem] text-soon">{t("bids.deadline.doubtful")}</span>}
          {kind === "closing" && <ClosedDays closing={at} />}
        </>
      }
    />
  );
}

/** A task of a bid, with who does it. */
function TaskLine({ task: { title, due, assignee } }: { task: CalendarTask }) {
  const { t } = useTranslation();
  return (
    <StepLine
      name={`${t("bids.calendar.task")}: ${title}`}
      at={due}
      note={assignee && <span className="text-sm text-ink-soft">{assignee}</span>}
    />
  );
}

function WeekRow({ item }: { item: WeekItem }) {
  const { t } = useTranslation();
  if (item.kind === "own") return <OwnRow item={item} />;
  if (item.kind !== "tender") {
    const section = item.kind === "document" ? "documents" : item.kind;
    const name =
      item.kind === "document"
        ? [t(`account.company.kinds.${item.document.kind}`), item.document.note].filter(Boolean).join(", ")
        : item.name;
    const expires = item.kind === "document" ? item.document.expires : item.expires;
    return (
      <li className="grid gap-0.5 py-3">
        <h3>
          <Link to={`${paths.accountCompany}#${section}`} className={titleStyle}>
            {name}
          </Link>
        </h3>
        <p className="text-sm text-ink-soft">{t(`account.company.${section}`)}</p>
        <ul>{expires && <StepLine name={t("account.dashboard.start.expires")} at={expires} />}</ul>
      </li>
    );
  }
  const { tender, steps, tasks } = item;
  const lines = [
    ...steps.map((step) => ({ at: step.at, line: <TenderStep key={step.kind} step={step} /> })),
    ...tasks.map((task) => ({ at: task.due, line: <TaskLine key={task._id} task={task} /> })),
  ].toSorted((one, other) => dayOf(one.at).localeCompare(dayOf(other.at)));
  return (
    <li className="grid gap-0.5 py-3">
      <h3>
        <Link
          to={tender.bidId ? paths.bid(tender.bidId) : paths.tender(tender.tenderId)}
          className={`line-clamp-2 ${titleStyle}`}
        >
          <PrintedTitle printed={tender.title} />
        </Link>
      </h3>
      <p className="text-[0.9375rem] break-words text-ink-soft">
        <PrintedTitle printed={tender.organization} />
      </p>
      <ul className="my-0.5 grid gap-0.5">{lines.map(({ line }) => line)}</ul>
      {tender.stage ? (
        <BoardNote stage={tender.stage} />
      ) : (
        <p className="flex items-center gap-1.5 text-sm font-medium text-accent">
          <Bookmark size={14} aria-hidden />
          {t("shell.nav.saved")}
        </p>
      )}
    </li>
  );
}

interface WeekProps {
  query: Pick<UseQueryResult, "isPending" | "data">;
  items: readonly WeekItem[];
}

/** What the user must do in the next days. */
export function ThisWeek({ query, items }: WeekProps) {
  const { t } = useTranslation();
  return (
    <Section
      title={t("account.dashboard.start.week")}
      more={{ to: paths.bidCalendar, text: t("bids.calendar.title") }}
    >
      {items.some(isExpiry) && <ListNote>{t("account.dashboard.start.weekDocuments")}</ListNote>}
      <Rows<WeekItem> query={query} items={items} empty={t("account.dashboard.start.noWeek")}>
        {(item) => <WeekRow key={keyOf(item)} item={item} />}
      </Rows>
    </Section>
  );
}

/** Whether the item is a document or a registration that expires. */
const isExpiry = ({ kind }: WeekItem) => kind !== "tender" && kind !== "own";

function keyOf(item: WeekItem): string {
  switch (item.kind) {
    case "tender":
      return item.tender.tenderId;
    case "own":
      return item.tender._id;
    case "document":
      return [item.document.kind, item.document.note, item.document.expires].join(" ");
    default:
      return `${item.kind} ${item.name}`;
  }
}
