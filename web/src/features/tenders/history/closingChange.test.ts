import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { closingChange, isCorrected } from "./closingChange.ts";

type Changes = NonNullable<Tender["changes"]>;

const days = { first: "2026-12-01T14:00:00+05:30", second: "2026-12-08T14:00:00+05:30" };
const closing = "2026-12-15T14:00:00+05:30";
const notice = "Lanka Ledger, 2026-11-30, page 4";

function change(from: unknown, to: unknown, source: string, field = "dates.closing"): Changes[number] {
  return { at: "2026-11-30T06:00:00+05:30", field, from, to, source };
}

const changeOf = (changes: Changes, now = closing) =>
  closingChange({ changes, dates: { closing: now } as never });

it("tells the first closing and the last notice that changed it", () => {
  const changes = [
    change(days.first, days.second, "Daily Lanka, 2026-11-20"),
    change(days.second, closing, notice),
  ];
  expect(changeOf(changes)).toEqual({
    direction: "extended",
    from: days.first,
    at: "2026-11-30T06:00:00+05:30",
    notice: { publication: "Lanka Ledger", day: "2026-11-30", page: 4 },
  });
});

it("tells that a closing was brought forward, and by whom", () => {
  expect(changeOf([change(closing, days.first, "owner")], days.first)).toMatchObject({
    direction: "broughtForward",
    notice: null,
  });
});

it("tells nothing of a closing that was first unknown, that is as it was, or of a change without a source", () => {
  expect(changeOf([change(null, closing, notice)])).toBeNull();
  expect(changeOf([change(closing, days.first, notice), change(days.first, closing, notice)])).toBeNull();
  expect(changeOf([change(days.first, closing, "corrigendum")])).toBeNull();
  expect(changeOf([])).toBeNull();
});

it("knows whether the text is that of the first notice", () => {
  expect(isCorrected({ changes: [change(days.first, closing, notice)] })).toBe(true);
  expect(isCorrected({ changes: [change("a", "b", "owner", "title")] })).toBe(false);
  expect(isCorrected({ changes: [change("published", "cancelled", notice, "status")] })).toBe(false);
  const text = change("old", "new", notice, "fullTextMarkdown");
  expect(isCorrected({ changes: [change(days.first, closing, notice), text] })).toBe(false);
});
