import { expect, it } from "vitest";
import { addDays } from "@/shared/format/dates.ts";
import { agendaDays, isDay, shownWeeks, stepFrom, weeksOf } from "./days.ts";

it("shows the whole weeks of a month from Monday", () => {
  const weeks = weeksOf("month", "2026-12-24");
  expect(weeks).toHaveLength(5);
  expect(weeks[0]?.[0]).toBe("2026-11-30");
  expect(weeks.at(-1)?.at(-1)).toBe("2027-01-03");
  // February 2027 begins on a Monday and has four weeks.
  expect(weeksOf("month", "2027-02-28").map((week) => week[0])).toEqual([
    "2027-02-01",
    "2027-02-08",
    "2027-02-15",
    "2027-02-22",
  ]);
});

it("begins with the present week and shows four weeks after it, even at the end of a month", () => {
  const mondays = (day: string, today: string) => shownWeeks("month", day, today).map((week) => week[0]);
  expect(mondays("2026-11-30", "2026-11-30")).toEqual([
    "2026-11-30",
    "2026-12-07",
    "2026-12-14",
    "2026-12-21",
    "2026-12-28",
  ]);
  expect(mondays("2026-11-05", "2026-11-05")).toEqual([
    "2026-11-02",
    "2026-11-09",
    "2026-11-16",
    "2026-11-23",
    "2026-11-30",
  ]);
  // A day before the present week asks for the whole month.
  expect(mondays("2026-11-01", "2026-11-30")[0]).toBe("2026-10-26");
  expect(mondays("2026-11-01", "2026-11-30").at(-1)).toBe("2026-12-28");
  // Another month is not extended, though its last week has the present day.
  expect(mondays("2026-11-05", "2026-12-02").at(-1)).toBe("2026-11-30");
  expect(shownWeeks("week", "2026-11-30", "2026-11-30")).toHaveLength(1);
});

it("shows one week from Monday", () => {
  expect(weeksOf("week", "2026-12-27")).toEqual([
    Array.from({ length: 7 }, (_, nth) => addDays("2026-12-21", nth)),
  ]);
});

it.each([
  ["month", "2026-12-31", 1, "2027-01-01"],
  ["month", "2026-01-31", -1, "2025-12-01"],
  ["week", "2026-12-31", 1, "2027-01-07"],
  ["week", "2027-01-01", -1, "2026-12-25"],
] as const)("steps by a %s from %s", (view, day, step, expected) => {
  expect(stepFrom(view, day, step)).toBe(expected);
});

it.each([
  ["2026-12-24", true],
  ["2026-02-30", false],
  ["26-12-24", false],
  ["2026-12-24T00:00", false],
  ["soon", false],
])("knows whether %s is a day", (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

it.each([
  ["today, in the present month", "month", "2026-11-30", "2026-11-30", "2026-11-30", "2027-01-30"],
  ["the first day of another month", "month", "2027-02-14", "2026-11-30", "2027-02-01", "2027-04-03"],
  ["today, in the present week", "week", "2026-11-30", "2026-12-02", "2026-12-02", "2027-01-30"],
  ["the Monday of another week", "week", "2026-12-10", "2026-12-02", "2026-12-07", "2027-02-06"],
] as const)("lists the days from %s", (_, view, shown, today, first, last) => {
  const days = agendaDays(view, shown, today);
  expect([days[0], days.at(-1)]).toEqual([first, last]);
});
