import { expect, it } from "vitest";
import type { CalendarEntry, CalendarTask, Tender } from "@/api/types.ts";
import { weekItems } from "./week.ts";

const now = Date.parse("2026-11-30T09:00:00+05:30");

function entry(tenderId: string, kind: CalendarEntry["kind"], day: string, more = {}): CalendarEntry {
  const at = `${day}T14:00:00+05:30`;
  return { tenderId, kind, at, stage: "preparing", bidId: "b", isCancelled: false, ...more } as CalendarEntry;
}

const texts = (entries: CalendarEntry[], company = {}, own: Tender[] = [], tasks: CalendarTask[] = []) =>
  weekItems({ entries, tasks }, company, own, now).map((item) => {
    if (item.kind === "own") return `${item.tender._id} ${item.steps.map(({ kind }) => kind).join()}`;
    if (item.kind === "tender") {
      const steps = item.steps.map(({ kind }) => kind as string);
      return `${item.tender.tenderId} ${[...steps, ...item.tasks.map(({ title }) => title)].join()}`;
    }
    return item.kind === "document" ? item.document.kind : item.name;
  });

it("lists a tender once with its steps, the next one first", () => {
  const entries = [
    entry("late", "closing", "2026-12-05"),
    entry("soon", "closing", "2026-12-03"),
    entry("soon", "sale-ends", "2026-12-01"),
    entry("kept", "closing", "2026-12-02", { stage: null, bidId: null }),
  ];
  expect(texts(entries)).toEqual(["soon sale-ends,closing", "kept closing", "late closing"]);
});

it("lists tasks with the steps of their tender, and late ones first", () => {
  const task = (tenderId: string, title: string, due: string) =>
    ({ _id: title, bidId: "b", stage: "preparing", tenderId, title, due }) as CalendarTask;
  const entries = [entry("soon", "closing", "2026-12-03")];
  const tasks = [
    task("other", "Sign", "2026-11-28"),
    task("soon", "Price", "2026-12-02"),
    task("third", "Copy", "2026-12-04"),
  ];
  expect(texts(entries, {}, [], tasks)).toEqual(["other Sign", "soon closing,Price", "third Copy"]);
});

it("lists the steps of the next days of own tenders that are live", () => {
  const own = (_id: string, closing: string, more = {}) =>
    ({ _id, status: "published", isExpired: false, dates: { closing }, ...more }) as Tender;
  const soon = "2026-12-02T14:00:00+05:30";
  const tenders = [
    own("live", soon, { dates: { closing: soon, opening: "2026-12-02T14:30:00+05:30" } }),
    own("draft", soon, { status: "draft" }),
    own("over", "2026-11-29T14:00:00+05:30", { isExpired: true }),
    own("later", "2026-12-20T14:00:00+05:30", { preBid: { at: "2026-12-01T10:00:00+05:30" } }),
  ];
  expect(texts([entry("t", "closing", "2026-12-03")], {}, tenders)).toEqual([
    "later pre-bid",
    "live closing,opening",
    "t closing",
  ]);
});

it("leaves out what is over, cancelled or decided", () => {
  const entries = [
    entry("over", "closing", "2026-11-29"),
    entry("cancelled", "closing", "2026-12-02", { isCancelled: true }),
    entry("lost", "closing", "2026-12-02", { stage: "lost" }),
    entry("sent", "closing", "2026-12-02", { stage: "submitted" }),
    entry("sent", "opening", "2026-12-02", { stage: "submitted" }),
    entry("won", "bond-expiry", "2026-12-03", { stage: "won" }),
  ];
  expect(texts(entries)).toEqual(["sent opening", "won bond-expiry"]);
});

it("names documents and registrations that expire within a month", () => {
  const company = {
    documents: [
      { kind: "tax-clearance", expires: "2026-12-20" },
      { kind: "bank-letter", expires: "2027-03-30" },
      { kind: "audited-accounts" },
    ],
    cida: [{ grade: "C5", field: "Building", expires: "2026-12-01" }],
  };
  expect(texts([entry("a", "closing", "2026-12-03")], company)).toEqual([
    "C5 Building",
    "a closing",
    "tax-clearance",
  ]);
});
