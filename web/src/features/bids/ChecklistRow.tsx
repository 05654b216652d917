// A row of the checklist of a bid: what must be ready before the closing, where it comes from, and who ticked
// it.

import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { BidChecklistRow, BidDetails, BidTask, Company } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isInWork } from "@/shared/bids.ts";
import { useNow } from "@/shared/clock.ts";
import { dayOf, formatMoment } from "@/shared/format/dates.ts";
import { Checkbox } from "@/ui/Field.tsx";
import { useBidAction } from "./api.ts";
import { rowText } from "./checklistText.ts";
import { saleFacts } from "./documentSale.ts";
import { profileFacts } from "./profileFacts.ts";
import { TaskButtons, TaskEditor, TaskFacts, tickedTask } from "./Tasks.tsx";

/** Says what a row rests on. The words of the notice are out of sight until somebody asks for them. */
function Basis({
  row,
  isPrinted,
  publishedBy,
}: {
  row: NonNullable<BidChecklistRow["derived"]>;
  isPrinted: boolean;
  publishedBy: BidDetails["bid"]["tender"]["publishedBy"];
}) {
  const { t } = useTranslation();
  const { basis, printed, isDoubtful } = row;
  if (printed && !isPrinted) {
    return (
      <>
        <details>
          <summary className="inline-flex min-h-6 items-center text-accent underline underline-offset-2">
            {t(`bids.checklist.words.${publishedBy}`)}
          </summary>
          <p className="wrap-anywhere">{t(`bids.checklist.printed.${publishedBy}`, { text: printed })}</p>
        </details>
        {isDoubtful && <p className="text-soon">{t("bids.deadline.doubtful")}</p>}
      </>
    );
  }
  return (
    <>
      <p>{t(`bids.checklist.basis.${basis}`)}</p>
      {isDoubtful && <p className="text-soon">{t("bids.deadline.doubtful")}</p>}
    </>
  );
}

interface ChecklistRowProps {
  details: BidDetails;
  row: BidChecklistRow;
  /** The task that is named like the row. */
  task: BidTask | null;
  /** What the company has, as soon as it is known. */
  company: Company | undefined;
  /** A mark below the title. */
  mark: ReactNode;
}

export function ChecklistRow({ details, row, task, company, mark }: ChecklistRowProps) {
  const { t } = useTranslation();
  const { bid, notice } = details;
  const today = dayOf(useNow());
  const [isEdited, setEdited] = useState(false);
  const action = useBidAction(bid._id);
  const { key, fingerprint, derived, own, tick, outdatedTick } = row;
  const { title, facts, isPrinted } = rowText(row, details, t);
  const person = (by: { name: string } | null) => by?.name ?? t("bids.deletedUser");
  const isDone = tick !== null || (task !== null && task.doneAt !== null);
  const held = company ? profileFacts(row, company, bid.tender.closing, notice, t) : [];
  // Who has the documents needs to buy none, nor does who has submitted the bid.
  const sale = isDone || !isInWork(bid.stage) ? [] : saleFacts(row, details, today, t);
  const setDone = (isDone: boolean) => {
    if ((tick !== null) !== isDone) action.mutate({ kind: "tickRow", key, fingerprint, isDone });
    if (task && (task.doneAt !== null) !== isDone) action.mutate(tickedTask(task, isDone));
  };
  if (task && isEdited) return <TaskEditor details={details} task={task} close={() => setEdited(false)} />;
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Checkbox
          label={
            <span
              title={isPrinted ? title : undefined}
              className={`line-clamp-3 wrap-anywhere ${isDone ? "text-ink-soft line-through" : "font-medium"}`}
            >
              {title}
            </span>
          }
          checked={isDone}
          disabled={action.isPending}
          onChange={(event) => setDone(event.target.checked)}
        />
        <div className="-mt-1 grid gap-0.5 pl-8 text-sm text-ink-soft">
          {mark}
          {outdatedTick && (
            <p className="font-medium text-soon">
              {t("bids.checklist.changed", {
                name: person(outdatedTick.by),
                moment: formatMoment(outdatedTick.at),
              })}
            </p>
          )}
          {facts.map((fact) => (
            <p key={fact} className="text-ink wrap-anywhere">
              {fact}
            </p>
          ))}
          {[...sale, ...held].map(({ text, isWarning, isUrgent }) => (
            <p
              key={text}
              className={`wrap-anywhere ${isUrgent ? "font-medium text-urgent" : isWarning ? "font-medium text-soon" : "text-ink"}`}
            >
              {text}
            </p>
          ))}
          {task && <TaskFacts task={task} />}
          {derived && <Basis row={derived} isPrinted={isPrinted} publishedBy={bid.tender.publishedBy} />}
          {tick && (
            <p>{t("bids.checklist.ticked", { name: person(tick.by), moment: formatMoment(tick.at) })}</p>
          )}
        </div>
      </div>
      {task && <TaskButtons bidId={bid._id} task={task} onEdit={() => setEdited(true)} />}
      {own && (
        <button
          type="button"
          aria-label={t("bids.checklist.delete", { title })}
          disabled={action.isPending}
          onClick={() => action.mutate({ kind: "deleteRow", row: own._id })}
          className="grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-well hover:text-urgent md:size-9"
        >
          <Trash2 size={16} aria-hidden />
        </button>
      )}
    </div>
  );
}
