import { expect, it } from "vitest";
import { batchOf, kindOf, pagesPathOf } from "./batchForm.ts";

it.each([
  ["", "issue", null],
  ["publication=Daily%20Lanka", "issue", null],
  ["publication=Daily%20Lanka&date=2026-11-20", "issue", { publication: "Daily Lanka", date: "2026-11-20" }],
  ["file=f1", "file", { file: "f1" }],
  ["kind=file", "file", null],
  ["kind=sent&token=t1&from=2026-11-20T09:00", "sent", null],
  [
    "kind=sent&token=t1&from=2026-11-20T09:00&until=2026-11-20T10:00",
    "sent",
    { token: "t1", from: "2026-11-20T09:00:00+05:30", until: "2026-11-20T10:00:00+05:30" },
  ],
  ["kind=other&file=f1", "file", { file: "f1" }],
])("reads the batch of %j", (query, kind, batch) => {
  const params = new URLSearchParams(query);
  expect([kindOf(params), batchOf(params)]).toEqual([kind, batch]);
});

it("leads to the pages of a batch, unless only a token names it", () => {
  expect(pagesPathOf({ file: "f1" })).toBe("/operate/pages?file=f1");
  expect(pagesPathOf({ publication: "Daily Lanka", date: "2026-11-20" })).toBe(
    "/operate/pages?publication=Daily+Lanka&date=2026-11-20",
  );
  expect(pagesPathOf({ token: "t1", from: "2026-11-20T09:00:00+05:30" })).toBeNull();
});
