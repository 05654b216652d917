import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { chooseClosings } from "./closings.ts";

const now = Date.parse("2026-11-21T09:00:00+05:30");

function tender(_id: string, day: number | null, status = "published"): Tender {
  const closing = day === null ? null : `2026-11-${day}T14:00:00+05:30`;
  return { _id, status, dates: { closing } } as Tender;
}

const ids = (saved: Tender[], next: Tender[]) =>
  chooseClosings(saved, next, now).map(({ tender, isSaved }) => `${tender._id}${isSaved ? " saved" : ""}`);

it("lists saved and other tenders by closing time, each once", () => {
  const saved = [tender("late", 29), tender("soon", 22)];
  expect(ids(saved, [tender("first", 21), tender("soon", 22)])).toEqual([
    "first",
    "soon saved",
    "late saved",
  ]);
});

it("leaves out tenders that have closed, that are withdrawn, or without a closing time", () => {
  const saved = [tender("closed", 20), tender("withdrawn", 24, "withdrawn"), tender("open", null)];
  expect(ids(saved, [tender("next", 25), tender("other", null)])).toEqual(["next"]);
});

it("leaves place for others if many saved tenders close soon", () => {
  const saved = [22, 23, 24, 25, 26].map((day) => tender(`saved ${day}`, day));
  const next = [tender("saved 26", 26), tender("other", 27), tender("more", 28)];
  expect(ids(saved, next)).toEqual([
    "saved 22 saved",
    "saved 23 saved",
    "saved 24 saved",
    "saved 25 saved",
    "saved 26 saved",
    "other",
  ]);
});
