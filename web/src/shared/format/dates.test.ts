import { describe, expect, it } from "vitest";
import {
  dayOf,
  daysUntil,
  formatClosing,
  formatDay,
  formatMoment,
  formatTimeOfDay,
  timeOf,
} from "./dates.ts";

const at = (moment: string) => Date.parse(moment);

describe("days and times", () => {
  it.each([
    ["2024-05-14T14:30:00+05:30", "Tue 14 May 2024, 2.30 p.m."],
    ["2024-05-14T09:00:00Z", "Tue 14 May 2024, 2.30 p.m."],
    ["2026-12-31T19:00:00Z", "Fri 1 Jan 2027, 12.30 a.m."],
    ["2026-11-20T12:00:00+05:30", "Fri 20 Nov 2026, 12.00 p.m."],
    ["2026-11-20T23:59:59+05:30", "Fri 20 Nov 2026"],
    ["2026-11-20T00:00:00+05:30", "Fri 20 Nov 2026"],
  ])("formats %s as %s", (moment, words) => expect(formatMoment(moment)).toBe(words));

  it.each([
    ["2026-11-20T14:30:00+05:30", "Fri 20 Nov 2026, 2.30 p.m."],
    ["2026-11-20T23:59:59+05:30", "Fri 20 Nov 2026, hour not stated"],
    ["2026-11-20T23:59:00+05:30", "Fri 20 Nov 2026, 11.59 p.m."],
    ["some day", "some day"],
  ])("formats the closing %s as %s", (moment, words) => expect(formatClosing(moment)).toBe(words));

  it("does not say of a doubtful closing that the notice states no hour", () => {
    const day = "2026-11-20T23:59:59+05:30";
    expect(formatClosing(day, false)).toBe("Fri 20 Nov 2026, hour not read: see the notice");
    expect(formatClosing("2026-11-20T14:30:00+05:30", false)).toBe("Fri 20 Nov 2026, 2.30 p.m.");
  });

  it("agrees with the time zone in every month", () => {
    const [day, time] = [
      new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Colombo", dateStyle: "short" }),
      new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Colombo", timeStyle: "short" }),
    ];
    for (let month = 0; month < 12 * 30; month += 1) {
      const moment = new Date(Date.UTC(2007, month, (month % 28) + 1, month % 24, 41, 5));
      const text = moment.toISOString();
      expect([dayOf(text), timeOf(text)]).toEqual([day.format(moment), time.format(moment)]);
    }
  });

  it("formats a date without a time", () => expect(formatDay("2026-11-20")).toBe("Fri 20 Nov 2026"));

  it("returns an invalid moment unchanged, and no time of day for it", () => {
    expect(formatMoment("some day")).toBe("some day");
    expect(formatTimeOfDay("some day")).toBeNull();
  });
});

describe("daysUntil", () => {
  it("counts midnights in Colombo, not hours", () => {
    expect(daysUntil("2026-11-22T00:01:00+05:30", at("2026-11-21T23:59:00+05:30"))).toBe(1);
    expect(daysUntil("2026-11-21T23:59:59+05:30", at("2026-11-20T18:31:00Z"))).toBe(0);
  });
});
