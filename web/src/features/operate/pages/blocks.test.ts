import { expect, it } from "vitest";
import type { NewspaperPage, PageBlock, PageMark } from "@/api/types.ts";
import { decisionFor, standingOf } from "./blocks.ts";

const block: PageBlock = {
  number: 1,
  box: [0.1, 0.1, 0.2, 0.2],
  outcome: "not-a-notice",
  reason: "nothing invites bids",
  noticeKey: null,
  title: null,
  tenderId: null,
  reviewReason: null,
  mark: null,
};
const notice: PageBlock = { ...block, outcome: "tender", reason: null, noticeKey: "n1", title: "A bridge" };
const page = { hasFile: true, readAt: "2026-11-20T06:00:00+05:30" } as NewspaperPage;
const markAt = (at: string, decision: PageMark["decision"]): PageMark => ({
  _id: "m1",
  box: block.box,
  decision,
  at,
  by: "admin@demo.test",
});

it("offers to dismiss a notice, and to read another block as a notice", () => {
  expect(decisionFor(notice, undefined, page)).toBe("dismissed");
  expect(decisionFor({ ...notice, outcome: "waits" }, undefined, page)).toBe("dismissed");
  expect(decisionFor(block, undefined, page)).toBe("notice");
});

it("offers nothing that the portal or a worker would refuse", () => {
  expect(decisionFor(block, undefined, { ...page, hasFile: false })).toBeNull();
  expect(decisionFor({ ...block, box: [0.1, 0.1, 0.2, 0.005] }, undefined, page)).toBeNull();
  expect(decisionFor({ ...block, outcome: "too-little-text" }, undefined, page)).toBeNull();
  expect(decisionFor({ ...notice, outcome: "rejected" }, undefined, page)).toBeNull();
  expect(decisionFor(block, markAt("2026-11-20T07:00:00+05:30", "notice"), page)).toBeNull();
});

it("says how a block stands now", () => {
  expect(standingOf(block, undefined, page)).toBe("not-a-notice");
  expect(standingOf({ ...notice, tenderId: "t1" }, undefined, page)).toBe("tender");
  const drawn = markAt("2026-11-20T07:00:00+05:30", "notice");
  expect(standingOf({ ...notice, outcome: "waits", reviewReason: "notice" }, drawn, page)).toBe("waits");
  expect(standingOf({ ...notice, tenderId: "t1" }, drawn, page)).toBe("tender");
  expect(standingOf({ ...notice, outcome: "rejected" }, undefined, page)).toBe("rejected");
});

it("respects what people have decided since the last reading", () => {
  expect(standingOf(notice, markAt("2026-11-20T07:00:00+05:30", "dismissed"), page)).toBe("dismissed");
  expect(standingOf(block, markAt("2026-11-20T07:00:00+05:30", "notice"), page)).toBe("to-read");
  expect(standingOf(block, markAt("2026-11-20T05:00:00+05:30", "notice"), page)).toBe("not-a-notice");
});
