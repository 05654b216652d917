// What is to be done for a bid: the rows of the checklist and the users' own tasks in one list, the next step
// first.

import { Printer } from "lucide-react";
import type { BidDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { Badge } from "@/ui/Badge.tsx";
import { ButtonLink } from "@/ui/Button.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { ChecklistRow } from "./ChecklistRow.tsx";
import { TaskForm, TaskRow } from "./Tasks.tsx";
import { toDoOf } from "./toDo.ts";

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

export function ToDoList({ details, anchor }: { details: BidDetails; anchor: string }) {
  const { t } = useTranslation();
  const { bid, checklist } = details;
  const items = toDoOf(details);
  const done = items.filter(({ isDone }) => isDone).length;
  const next = items.find(({ isDone }) => !isDone);
  return (
    <SectionCard title={t("bids.toDo.heading")} anchor={anchor}>
      <div className="-mt-2 mb-4 flex flex-wrap items-end gap-x-6 gap-y-3">
        {items.length > 0 && <Progress done={done} all={items.length} />}
        {checklist !== null && (
          <ButtonLink to={paths.bidCover(bid._id)} variant="outlined" size="small">
            <Printer size={16} aria-hidden />
            {t("bids.cover.open")}
          </ButtonLink>
        )}
      </div>
      {checklist === null && <p className="mb-3 text-ink-soft">{t("bids.checklist.locked")}</p>}
      {items.length === 0 && <p className="text-ink-soft">{t("bids.task.none")}</p>}
      <ul className="divide-y divide-line">
        {items.map((item) => {
          const mark = item === next && (
            <span className="mt-2 shrink-0">
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
                <ChecklistRow bid={bid} row={item.row} mark={mark} />
              ) : (
                <TaskRow details={details} task={item.task} mark={mark} />
              )}
            </li>
          );
        })}
      </ul>
      <TaskForm details={details} />
    </SectionCard>
  );
}
