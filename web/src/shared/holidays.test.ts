import { expect, it } from "vitest";
import { closedDaysNear } from "./holidays.ts";

const poya = { day: "2026-12-23", name: "Unduvap Full Moon Poya Day", isPoya: true };
const christmas = { day: "2026-12-25", name: "Christmas Day", isPoya: false };
const near = (closing: string, today = "2026-11-30") => closedDaysNear(closing, [poya, christmas], today);

it("knows a holiday on the day of a closing and on the day before", () => {
  expect(near("2026-12-24T14:00:00+05:30")).toEqual([{ day: "2026-12-23", reason: "poya" }]);
  expect(near("2026-12-25T14:00:00+05:30")).toEqual([{ day: "2026-12-25", reason: "public" }]);
  expect(near("2026-12-22T14:00:00+05:30")).toEqual([]);
});

it("takes the day in Colombo, where it begins before midnight in UTC", () => {
  expect(near("2026-12-23T00:30:00+05:30")).toEqual([{ day: "2026-12-23", reason: "poya" }]);
});

it("mentions a closing on a weekend, and none that follows a weekend", () => {
  expect(near("2026-12-19T14:00:00+05:30")).toEqual([{ day: "2026-12-19", reason: "weekend" }]);
  expect(near("2026-12-21T14:00:00+05:30")).toEqual([]);
});

it("leaves out days that are over", () => {
  expect(near("2026-12-24T14:00:00+05:30", "2026-12-24")).toEqual([]);
  expect(near("2026-12-25T14:00:00+05:30", "2026-12-26")).toEqual([]);
});
