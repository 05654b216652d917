import { expect, it } from "vitest";
import { nextMail } from "./nextMail.ts";

const settings = { enabled: true, frequency: "daily", dailySummaryTime: "07:30" } as const;
const at = (moment: string, more: object) => nextMail({ ...settings, ...more }, Date.parse(moment));

it.each([
  ["2026-12-01T07:29:00+05:30", {}, "2026-12-01T07:30:00+05:30"],
  ["2026-12-01T07:30:00+05:30", {}, "2026-12-02T07:30:00+05:30"],
  // It is the next day in Colombo.
  ["2026-12-01T20:00:00Z", {}, "2026-12-02T07:30:00+05:30"],
  ["2026-12-01T10:00:00+05:30", { frequency: "weekly" }, "2026-12-07T09:00:00+05:30"],
  ["2026-12-07T08:59:00+05:30", { frequency: "weekly" }, "2026-12-07T09:00:00+05:30"],
  ["2026-12-07T09:00:00+05:30", { frequency: "weekly" }, "2026-12-14T09:00:00+05:30"],
  ["2026-12-01T07:00:00+05:30", { frequency: "immediate" }, null],
  ["2026-12-01T07:00:00+05:30", { enabled: false }, null],
])("mails after %s with %o at %s", (now, more, expected) => {
  expect(at(now, more)).toBe(expected);
});
