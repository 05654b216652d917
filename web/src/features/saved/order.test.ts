import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { inOrder } from "./order.ts";

const now = Date.parse("2026-11-21T09:00:00+05:30");

function tender(_id: string, closing: string | null, status = "published"): Tender {
  return { _id, status, dates: { closing: closing && `${closing}T14:00:00+05:30` } } as Tender;
}

const saved = [
  tender("closed long ago", "2026-09-01"),
  tender("undated", null),
  tender("later", "2026-12-20"),
  tender("cancelled", "2026-11-25", "cancelled"),
  tender("next", "2026-11-22"),
  tender("closed", "2026-11-20"),
];

it("puts the next closing first, then what is undated, and what has ended last", () => {
  const ids = inOrder(saved, "closing", now).map(({ _id }) => _id);
  expect(ids).toEqual(["next", "later", "undated", "cancelled", "closed", "closed long ago"]);
});

it("keeps the order in which tenders were saved", () => {
  expect(inOrder(saved, "saved", now)).toEqual(saved);
});
