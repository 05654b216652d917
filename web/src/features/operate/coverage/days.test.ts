import { expect, test } from "vitest";
import { addDays, daysBetween, parseDay } from "./days.ts";

test("days are counted across months and years", () => {
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
  expect(daysBetween("2026-11-29", "2026-12-01")).toEqual(["2026-11-29", "2026-11-30", "2026-12-01"]);
  expect(daysBetween("2026-11-29", "2026-11-28")).toEqual([]);
});

test("only days between 2000 and 2100 are read from the address", () => {
  expect(parseDay("2026-11-20")).toBe("2026-11-20");
  for (const text of [null, "", "2026-02-30", "2026-13-01", "1999-12-31", "20261120", "2026-11-20T00:00"]) {
    expect(parseDay(text)).toBeNull();
  }
});
