import { expect, it } from "vitest";
import type { BidDetails } from "@/api/types.ts";
import { toDoOf, unstatedRows } from "./toDo.ts";

type Row = NonNullable<BidDetails["checklist"]>[number];

const row = (kind: string, more: object = {}, tick: Row["tick"] = null): Row => ({
  key: kind,
  fingerprint: "0",
  derived: { key: kind, kind, basis: "notice", isDoubtful: false, ...more } as Row["derived"],
  tick,
});

/** Rows are called by their kind. */
const namesOf = ({ derived }: Row) => [derived?.kind ?? ""];

const task = (
  title: string,
  due: string | null,
  doneAt: string | null = null,
): BidDetails["tasks"][number] => ({
  _id: title,
  title,
  due,
  assignee: null,
  doneAt,
});

it("puts the next step first, the delivery last, and what is done below", () => {
  const tick = { at: "2026-12-01T10:00:00+05:30", by: null };
  const items = toDoOf(
    {
      checklist: [
        row("buy-documents", { day: "2026-12-20" }, tick),
        row("bid-security"),
        row("pre-bid", { at: "2026-12-10T10:00:00+05:30" }),
        row("deliver", { at: "2026-12-09T14:00:00+05:30" }),
      ],
      tasks: [task("Ask the bank", "2026-12-05"), task("Visit", null), task("Call", null, tick.at)],
    },
    namesOf,
  );
  expect(items.map(({ key }) => key)).toEqual([
    "task:Ask the bank",
    "pre-bid",
    "bid-security",
    "task:Visit",
    "deliver",
    "buy-documents",
    "task:Call",
  ]);
  expect(items.filter(({ isDone }) => isDone)).toHaveLength(2);
});

it("has the tasks alone if the plan has no checklist", () => {
  const items = toDoOf({ checklist: null, tasks: [task("Visit", null)] }, namesOf);
  expect(items.map(({ key }) => key)).toEqual(["task:Visit"]);
});

it("merges a task into the row of the same name", () => {
  const done = "2026-12-01T10:00:00+05:30";
  const items = toDoOf(
    {
      checklist: [row("vat"), row("pre-bid", { at: "2026-12-10T10:00:00+05:30" }), row("cida")],
      tasks: [task(" VAT ", null, done), task("Pre-bid", "2026-12-08"), task("pre-bid", null)],
    },
    namesOf,
  );
  // A second task of the same name stays a task.
  expect(items.map(({ key, due }) => [key, due])).toEqual([
    ["pre-bid", "2026-12-08"],
    ["cida", null],
    ["task:pre-bid", null],
    ["vat", null],
  ]);
  expect(items.filter(({ isDone }) => isDone)).toHaveLength(1);
});

it("counts what the notice does not state only once somebody has made it a step", () => {
  const unstated = { basis: "not-stated" };
  const tick = { at: "2026-12-01T10:00:00+05:30", by: null };
  const details = {
    checklist: [
      row("bid-security", unstated),
      row("pre-bid", unstated, tick),
      row("turnover", unstated),
      row("vat"),
    ],
    tasks: [task("turnover", null)],
  };
  const items = toDoOf(details, namesOf);
  expect(items.map(({ key }) => key)).toEqual(["turnover", "vat", "pre-bid"]);
  expect(unstatedRows(details, items).map(({ key }) => key)).toEqual(["bid-security"]);
});
