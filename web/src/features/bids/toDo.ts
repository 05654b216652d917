// What is to be done for a bid: the rows of the checklist and the tasks of the board's users, in one order.

import type { BidChecklistRow, BidDetails, BidTask } from "@/api/types.ts";
import { dayOf } from "@/shared/format/dates.ts";

/** Something to be done. */
export type ToDo = {
  key: string;
  isDone: boolean;
  /** The last day on which it can be done, as far as it is known. */
  due: string | null;
} & (
  | {
      kind: "row";
      row: BidChecklistRow;
      /** The task with the same name, which is shown in the row. */
      task: BidTask | null;
    }
  | { kind: "task"; task: BidTask }
);

/** A name without what does not distinguish it from another one. */
function plainName(name: string): string {
  return name.trim().toLocaleLowerCase();
}

/** The earlier one of two days, as far as they are known. */
function earlier(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other < one) ? other : one;
}

/** Whether a row is only a question: the notice does not state it, and nobody has made it a step. */
function isQuestion({ derived, tick }: BidChecklistRow, task: BidTask | null): boolean {
  return derived?.basis === "not-stated" && tick === null && task === null;
}

/** The rows that no step stands for: what the notice does not state. */
export function unstatedRows(
  { checklist }: Pick<BidDetails, "checklist">,
  steps: readonly ToDo[],
): BidChecklistRow[] {
  const keys = new Set(steps.map(({ key }) => key));
  return (checklist ?? []).filter(({ key }) => !keys.has(key));
}

/**
 * Everything to be done for a bid. What is open stands first, by its day; the delivery is the last step. A
 * task that is named like a row belongs to the row. What the notice does not state is no step.
 */
export function toDoOf(
  { checklist, tasks }: Pick<BidDetails, "checklist" | "tasks">,
  namesOf: (row: BidChecklistRow) => readonly string[],
): ToDo[] {
  const merged = new Set<BidTask>();
  const rows = (checklist ?? []).flatMap((row): ToDo[] => {
    const names = namesOf(row).map(plainName);
    const task = tasks.find((one) => !merged.has(one) && names.includes(plainName(one.title))) ?? null;
    if (task) merged.add(task);
    if (isQuestion(row, task)) return [];
    return [
      {
        kind: "row",
        key: row.key,
        row,
        task,
        isDone: row.tick !== null || (task !== null && task.doneAt !== null),
        due: earlier(row.derived?.day ?? (dayOf(row.derived?.at) || null), task?.due ?? null),
      },
    ];
  });
  const others = tasks.filter((task) => !merged.has(task));
  const own = others.map(
    (task): ToDo => ({
      kind: "task",
      key: `task:${task._id}`,
      task,
      isDone: task.doneAt !== null,
      due: task.due,
    }),
  );
  return [...rows, ...own]
    .map((item, nth) => ({ item, order: [groupOf(item), item.due ?? "9999"], nth }))
    .sort((a, b) => compare(a.order, b.order) || a.nth - b.nth)
    .map(({ item }) => item);
}

/** Steps with a day, steps without one, the delivery, and what is done. */
function groupOf(item: ToDo): number {
  if (item.isDone) return 3;
  if (item.kind === "row" && item.row.derived?.kind === "deliver") return 2;
  return item.due === null ? 1 : 0;
}

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  const at = one.findIndex((part, nth) => part !== other[nth]);
  if (at < 0) return 0;
  return (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1;
}
