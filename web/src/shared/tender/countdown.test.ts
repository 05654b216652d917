import { describe, expect, it } from "vitest";
import { countdownTo } from "./countdown.ts";

describe("countdownTo", () => {
  const now = Date.parse("2026-11-21T09:00:00+05:30");
  it.each([
    ["2026-11-21T14:00:00+05:30", 0, "urgent"],
    ["2026-11-22T14:00:00+05:30", 1, "urgent"],
    ["2026-11-24T23:59:59+05:30", 3, "urgent"],
    ["2026-11-25T00:00:00+05:30", 4, "soon"],
    ["2026-11-28T10:00:00+05:30", 7, "soon"],
    ["2026-11-29T00:00:00+05:30", 8, "calm"],
  ])("%s: %i days, %s", (closing, days, urgency) => {
    expect(countdownTo(closing, now)).toEqual({ closed: false, days, urgency });
  });

  it("is closed after the time of day, not only at the end of the day", () => {
    expect(countdownTo("2026-11-21T08:59:59+05:30", now)).toEqual({ closed: true });
  });

  it.each([null, undefined, "", "soon"])("is null for %j", (closing) => {
    expect(countdownTo(closing, now)).toBeNull();
  });
});
