// A task of a bid, and the form for another one.

import { useQuery } from "@tanstack/react-query";
import { CalendarX2, Pencil, Trash2 } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import type { BidDetails, BidTask } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { dayOf, formatDay, formatMoment } from "@/shared/format/dates.ts";
import { holidaysAfter, isWeekend } from "@/shared/holidays.ts";
import { Button } from "@/ui/Button.tsx";
import { Checkbox, SelectField, TextField } from "@/ui/Field.tsx";
import { type BidAction, useBidAction } from "./api.ts";
import { holidayName } from "./holidayName.ts";

interface TaskFields {
  title: string;
  due: string;
  assignee: string;
}

/** The fields of a task: its title, its day and who does it. */
function TaskInputs({
  titleLabel,
  fields,
  people,
  isShort = false,
  onChange,
}: {
  titleLabel: string;
  /** Whether only the title is asked for. */
  isShort?: boolean;
  fields: TaskFields;
  people: BidDetails["people"];
  onChange: (fields: TaskFields) => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={titleLabel}
        value={fields.title}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => onChange({ ...fields, title: event.target.value })}
      />
      <div className={`gap-4 sm:grid-cols-2 ${isShort ? "hidden" : "grid"}`}>
        <TextField
          type="date"
          label={t("bids.task.dueLabel")}
          optional={t("account.optional")}
          value={fields.due}
          onChange={(event) => onChange({ ...fields, due: event.target.value })}
        />
        {people.length > 1 && (
          <SelectField
            label={t("bids.task.assignee")}
            optional={t("account.optional")}
            value={fields.assignee}
            onChange={(event) => onChange({ ...fields, assignee: event.target.value })}
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
    </>
  );
}

/** Changes the title, the day and the assignee of a task. */
export function TaskEditor({
  details,
  task,
  close,
}: {
  details: BidDetails;
  task: BidTask;
  close: () => void;
}) {
  const { t } = useTranslation();
  const { bid, people } = details;
  const { _id, title, due, assignee, doneAt } = task;
  const [fields, setFields] = useState<TaskFields>({ title, due: due ?? "", assignee: assignee?._id ?? "" });
  const action = useBidAction(bid._id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const changed = {
      title: fields.title.trim(),
      due: fields.due || null,
      assigneeId: fields.assignee || null,
    };
    if (changed.title === "") return;
    action.mutate(
      { kind: "changeTask", task: _id, ...changed, isDone: doneAt !== null },
      { onSuccess: close },
    );
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 py-3">
      <TaskInputs titleLabel={t("bids.task.name")} fields={fields} people={people} onChange={setFields} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="small" disabled={action.isPending || fields.title.trim() === ""}>
          {t("bids.task.save")}
        </Button>
        <Button variant="plain" size="small" onClick={close}>
          {t("bids.task.cancel")}
        </Button>
      </div>
    </form>
  );
}

/** Warns that offices are closed on the day on which a task is due. */
function ClosedTaskDay({ day, today }: { day: string; today: string }) {
  const { t } = useTranslation();
  const { data: holidays = [] } = useQuery(holidaysAfter(today));
  const holiday = holidays.find((one) => one.day === day);
  if (!holiday && !isWeekend(day)) return null;
  const reason = holiday ? holidayName(holiday.name, t) : t("bids.deadline.closedReason.weekend");
  return (
    <p className="flex items-start gap-1.5 text-sm text-soon">
      <CalendarX2 size={14} aria-hidden className="mt-1 shrink-0" />
      <span>{t("bids.task.closedDay", { reason })}</span>
    </p>
  );
}

/** Who does a task, and when it is due or was done. */
export function TaskFacts({ task: { due, assignee, doneAt } }: { task: BidTask }) {
  const { t } = useTranslation();
  const today = dayOf(useNow());
  const isLate = due !== null && doneAt === null && due < today;
  const facts = [
    assignee?.name,
    doneAt !== null
      ? t("bids.task.done", { moment: formatMoment(doneAt) })
      : due && t(isLate ? "bids.task.wasDue" : "bids.task.due", { day: formatDay(due) }),
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <>
      <p className={`text-sm ${isLate ? "font-medium text-urgent" : "text-ink-soft"}`}>{facts.join(" · ")}</p>
      {due !== null && doneAt === null && !isLate && <ClosedTaskDay day={due} today={today} />}
    </>
  );
}

/** The buttons that change and delete a task. */
export function TaskButtons({ bidId, task, onEdit }: { bidId: string; task: BidTask; onEdit: () => void }) {
  const { t } = useTranslation();
  const action = useBidAction(bidId);
  const { _id, title } = task;
  return (
    <>
      <button
        type="button"
        aria-label={t("bids.task.edit", { title })}
        onClick={onEdit}
        className="grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-well hover:text-accent md:size-9"
      >
        <Pencil size={16} aria-hidden />
      </button>
      <button
        type="button"
        aria-label={t("bids.task.delete", { title })}
        disabled={action.isPending}
        onClick={() => action.mutate({ kind: "deleteTask", task: _id })}
        className="grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-well hover:text-urgent md:size-9"
      >
        <Trash2 size={16} aria-hidden />
      </button>
    </>
  );
}

/** The change that ticks a task, or takes the tick back. */
export function tickedTask({ _id, title, due, assignee }: BidTask, isDone: boolean): BidAction {
  return { kind: "changeTask", task: _id, title, due, assigneeId: assignee?._id ?? null, isDone };
}

interface TaskRowProps {
  details: BidDetails;
  task: BidTask;
  /** A mark below the title. */
  mark: ReactNode;
}

export function TaskRow({ details, task, mark }: TaskRowProps) {
  const bidId = details.bid._id;
  const [isEdited, setEdited] = useState(false);
  const action = useBidAction(bidId);
  const { title, doneAt } = task;
  if (isEdited) {
    return <TaskEditor details={details} task={task} close={() => setEdited(false)} />;
  }
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Checkbox
          label={
            <span
              className={`wrap-anywhere ${doneAt !== null ? "text-ink-soft line-through" : "font-medium"}`}
            >
              {title}
            </span>
          }
          checked={doneAt !== null}
          disabled={action.isPending}
          onChange={(event) => action.mutate(tickedTask(task, event.target.checked))}
        />
        <div className="-mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 pl-8 empty:hidden">
          {mark}
          <TaskFacts task={task} />
        </div>
      </div>
      <TaskButtons bidId={bidId} task={task} onEdit={() => setEdited(true)} />
    </div>
  );
}

export function TaskForm({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const { bid, people } = details;
  const [fields, setFields] = useState<TaskFields>({ title: "", due: "", assignee: "" });
  const action = useBidAction(bid._id);
  const title = fields.title.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title === "") return;
    const task = { title, due: fields.due || null, assigneeId: fields.assignee || null };
    const clear = () => setFields(({ assignee }) => ({ title: "", due: "", assignee }));
    action.mutate({ kind: "addTask", ...task }, { onSuccess: clear });
  };
  return (
    <form noValidate onSubmit={submit} className="mt-3 grid gap-4 border-t border-line pt-4">
      <TaskInputs
        titleLabel={t("bids.task.title")}
        fields={fields}
        people={people}
        isShort={title === ""}
        onChange={setFields}
      />
      {title !== "" && (
        <Button
          type="submit"
          variant="outlined"
          size="small"
          className="justify-self-start"
          disabled={action.isPending}
        >
          {t("bids.task.add")}
        </Button>
      )}
    </form>
  );
}
