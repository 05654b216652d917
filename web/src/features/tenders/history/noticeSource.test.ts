import { describe, expect, it } from "vitest";
import { clipOfNotice, noticeSource } from "./noticeSource.ts";

describe("the notice that changed a tender", () => {
  it.each([
    ["Lanka Ledger, 2026-11-30, page 4", { publication: "Lanka Ledger", day: "2026-11-30", page: 4 }],
    ["Lanka Ledger, 2026-11-30", { publication: "Lanka Ledger", day: "2026-11-30", page: null }],
    ["Ada, Colombo, 2026-11-30, p. x", { publication: "Ada, Colombo", day: "2026-11-30", page: null }],
    ["owner", null],
  ])("is read from %s", (source, notice) => expect(noticeSource(source)).toEqual(notice));

  it("has the clip of the tender's source on the same page", () => {
    const source = { publication: "Lanka Ledger", date: "2026-11-30", page: 4, clipUrl: "/c.png" };
    const sources = [{ ...source, page: 2, clipUrl: "/b.png" }, source];
    const clip = (text: string, of: object[]) => {
      const notice = noticeSource(text);
      return notice && clipOfNotice({ sources: of as never }, notice);
    };
    expect(clip("Lanka Ledger, 2026-11-30, page 4", sources)).toBe("/c.png");
    expect(clip("Lanka Ledger, 2026-11-30, page 5", sources)).toBeNull();
    expect(clip("Lanka Ledger, 2026-11-29, page 4", sources)).toBeNull();
    expect(clip("Lanka Ledger, 2026-11-30, page 4", [])).toBeNull();
  });
});
