// What is to be done for a bid: the rows of the checklist and the users' own tasks in one list, the next step
// first. After the delivery, what comes next stands above it.

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Printer } from "lucide-react";
import { useState } from "react";
import type { BidDetails, BidStage } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isInWork, isOpen } from "@/shared/bids.ts";
import { useNow } from "@/shared/clock.ts";
import { companyProfile } from "@/shared/company.ts";
import { dayOf } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { Badge } from "@/ui/Badge.tsx";
import { ButtonLink } from "@/ui/Button.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { ChecklistRow } from "./ChecklistRow.tsx";
import { documentSale } from "./documentSale.ts";
import { NextSteps } from "./NextSteps.tsx";
import { rowNames } from "./rowNames.ts";
import { TaskForm, TaskRow } from "./Tasks.tsx";
import { type ToDo, toDoOf, unstatedRows } from "./toDo.ts";
import { Unstated } from "./Unstated.tsx";

/** How much is done, in words and as a bar. */
function Progress({ done, all }: { done: number; all: number }) {
  const { t } = useTranslation();
  return (
    <div className="min-w-48 flex-1">
      <p className="font-medium tabular-nums">{t("bids.checklist.done", { done, all })}</p>
      <div aria-hidden className="mt-1.5 h-2 overflow-hidden rounded-full bg-well">
        <div
          className="h-full rounded-full bg-accent"
          style={{ width: `${all === 0 ? 0 : (100 * done) / all}%` }}
        />
      </div>
    </div>
  );
}

function Items({
  details,
  items,
  next,
}: {
  details: BidDetails;
  items: readonly ToDo[];
  /** The step that is marked as the next one. */
  next: ToDo | undefined;
}) {
  const { t } = useTranslation();
  const { data: profile } = useQuery(companyProfile);
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => {
        const mark = item === next && (
          <span>
            <Badge tone="accent">{t("bids.toDo.next")}</Badge>
          </span>
        );
        return (
          <li
            key={item.key}
            aria-current={item === next ? "step" : undefined}
            className={item === next ? "-mx-3 rounded-lg bg-accent-wash/50 px-3 py-2" : "py-2"}
          >
            {item.kind === "row" ? (
              <ChecklistRow
                details={details}
                row={item.row}
                task={item.task}
                company={profile?.company}
                mark={mark}
              />
            ) : (
              <TaskRow details={details} task={item.task} mark={mark} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Steps that are over, behind a line that opens. */
function FoldedItems({
  details,
  items,
  label,
}: {
  details: BidDetails;
  items: readonly ToDo[];
  label: string;
}) {
  if (items.length === 0) return null;
  return (
    <details className="group">
      <summary className="inline-flex min-h-11 items-center gap-1.5 font-semibold text-accent hover:underline">
        {label}
        <ChevronDown size={16} aria-hidden className="group-open:rotate-180" />
      </summary>
      <Items details={details} items={items} next={undefined} />
    </details>
  );
}

/**
 * Whether the stage of a bid leaves something to be done. After the delivery, only the users' own tasks may
 * still be open, and none of a bid that is lost or dropped.
 */
function isOutstanding(item: ToDo, stage: BidStage): boolean {
  if (isInWork(stage)) return true;
  return item.kind === "task" && !item.isDone && (isOpen(stage) || stage === "won");
}

/** The heading of the list in a stage of the bid. */
export function toDoHeading(stage: BidStage): "bids.toDo.heading" | "bids.toDo.after" {
  return isInWork(stage) ? "bids.toDo.heading" : "bids.toDo.after";
}

export function ToDoList({ details, anchor }: { details: BidDetails; anchor: string }) {
  const { t } = useTranslation();
  const { bid, checklist } = details;
  const items = toDoOf(details, (row) => rowNames(row, details));
  // What the user ticks stays in sight until the next visit, so that a slip can be undone.
  const [doneBefore] = useState(() => new Set(items.filter(({ isDone }) => isDone).map(({ key }) => key)));
  const isFolded = ({ isDone, key }: ToDo) => isDone && doneBefore.has(key);
  const outstanding = items.filter((item) => isOutstanding(item, bid.stage) && !isFolded(item));
  const done = items.filter((item) => isOutstanding(item, bid.stage) && isFolded(item));
  const past = items.filter((item) => !isOutstanding(item, bid.stage));
  const today = dayOf(useNow());
  const open = isInWork(bid.stage) ? outstanding.filter(({ isDone }) => !isDone) : [];
  // Nobody can buy documents before they are sold. What is due until then, or on no day, comes first.
  const saleFrom = (item: ToDo) => {
    const sale = item.kind === "row" ? documentSale(item.row, details.notice, today) : null;
    return sale?.state === "not-yet" ? sale.day : null;
  };
  const [first] = open;
  const opens = first ? saleFrom(first) : null;
  const next = opens ? (open.find(({ due }) => due === null || due <= opens) ?? first) : first;
  const doneOf = (some: readonly ToDo[]) => some.filter(({ isDone }) => isDone).length;
  return (
    <SectionCard title={t(toDoHeading(bid.stage))} anchor={anchor}>
      {isInWork(bid.stage) && (
        <div className="-mt-2 mb-4 flex flex-wrap items-end gap-x-6 gap-y-3">
          {items.length > 0 && <Progress done={doneOf(items)} all={items.length} />}
          {checklist !== null && (
            <ButtonLink to={paths.bidCover(bid._id)} variant="outlined" size="small">
              <Printer size={16} aria-hidden />
              {t("bids.cover.open")}
            </ButtonLink>
          )}
        </div>
      )}
      {checklist === null && isInWork(bid.stage) && (
        <p className="mb-3 text-ink-soft">{t("bids.checklist.locked")}</p>
      )}
      {!isInWork(bid.stage) && (
        <div className="mb-5">
          <NextSteps details={details} />
        </div>
      )}
      {items.length === 0 && isInWork(bid.stage) && <p className="text-ink-soft">{t("bids.task.none")}</p>}
      <Items details={details} items={outstanding} next={next} />
      {isInWork(bid.stage) && <Unstated details={details} rows={unstatedRows(details, items)} />}
      <FoldedItems details={details} items={done} label={t("bids.toDo.done", { count: done.length })} />
      <FoldedItems details={details} items={past} label={t("bids.toDo.past", { count: past.length })} />
      <TaskForm details={details} />
    </SectionCard>
  );
}
