// The tasks of a bid: a list to tick, and a form for another one.

import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { BidDetails, BidTask } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { dayOf, formatDay, formatMoment } from "@/shared/format/dates.ts";
import { Button } from "@/ui/Button.tsx";
import { Checkbox, SelectField, TextField } from "@/ui/Field.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { useBidAction } from "./api.ts";

function TaskRow({ bidId, task }: { bidId: string; task: BidTask }) {
  const { t } = useTranslation();
  const today = dayOf(useNow());
  const action = useBidAction(bidId);
  const { _id, title, due, assignee, doneAt } = task;
  const isLate = due !== null && doneAt === null && due < today;
  const tick = (isDone: boolean) =>
    action.mutate({
      kind: "changeTask",
      task: _id,
      title,
      due,
      assigneeId: assignee?._id ?? null,
      isDone,
    });
  const facts = [
    assignee?.name,
    doneAt !== null
      ? t("bids.task.done", { moment: formatMoment(doneAt) })
      : due && t(isLate ? "bids.task.wasDue" : "bids.task.due", { day: formatDay(due) }),
  ].filter(Boolean);
  return (
    <li className="flex items-start gap-2 py-1">
      <div className="min-w-0 flex-1">
        <Checkbox
          label={
            <span className={`wrap-anywhere ${doneAt !== null ? "text-ink-soft line-through" : ""}`}>
              {title}
            </span>
          }
          checked={doneAt !== null}
          disabled={action.isPending}
          onChange={(event) => tick(event.target.checked)}
        />
        {facts.length > 0 && (
          <p className={`-mt-1 pl-8 text-sm ${isLate ? "font-medium text-urgent" : "text-ink-soft"}`}>
            {facts.join(" · ")}
          </p>
        )}
      </div>
      <button
        type="button"
        aria-label={t("bids.task.delete", { title })}
        disabled={action.isPending}
        onClick={() => action.mutate({ kind: "deleteTask", task: _id })}
        className="grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-well hover:text-urgent md:size-9"
      >
        <Trash2 size={16} aria-hidden />
      </button>
    </li>
  );
}

function TaskForm({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const { bid, people } = details;
  const [title, setTitle] = useState("");
  const [due, setDue] = useState("");
  const [assignee, setAssignee] = useState("");
  const action = useBidAction(bid._id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === "") return;
    const task = { title: title.trim(), due: due || null, assigneeId: assignee || null };
    const clear = () => {
      setTitle("");
      setDue("");
    };
    action.mutate({ kind: "addTask", ...task }, { onSuccess: clear });
  };
  return (
    <form noValidate onSubmit={submit} className="mt-3 grid gap-4 border-t border-line pt-4">
      <TextField
        label={t("bids.task.title")}
        value={title}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setTitle(event.target.value)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          type="date"
          label={t("bids.task.dueLabel")}
          optional={t("account.optional")}
          value={due}
          onChange={(event) => setDue(event.target.value)}
        />
        {people.length > 1 && (
          <SelectField
            label={t("bids.task.assignee")}
            optional={t("account.optional")}
            value={assignee}
            onChange={(event) => setAssignee(event.target.value)}
          >
            <option value="">{t("bids.nobody")}</option>
            {people.map(({ _id, name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <Button
        type="submit"
        variant="outlined"
        size="small"
        className="justify-self-start"
        disabled={action.isPending || title.trim() === ""}
      >
        {t("bids.task.add")}
      </Button>
    </form>
  );
}

export function Tasks({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const { bid, tasks } = details;
  return (
    <SectionCard title={t("bids.task.heading")}>
      {tasks.length === 0 ? (
        <p className="text-ink-soft">{t("bids.task.none")}</p>
      ) : (
        <ul className="divide-y divide-line">
          {tasks.map((task) => (
            <TaskRow key={task._id} bidId={bid._id} task={task} />
          ))}
        </ul>
      )}
      <TaskForm details={details} />
    </SectionCard>
  );
}
