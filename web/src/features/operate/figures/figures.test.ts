import { beforeAll, describe, expect, it } from "vitest";
import type { FigureSeries } from "@/api/types.ts";
import { loadOperateTexts, t } from "@/i18n/i18n.ts";
import { changeOf, csvOf, dayAfter, formatDuration, formatValue, GROUPS, todayAndUsual } from "./figures.ts";

beforeAll(() => loadOperateTexts());

const pages: FigureSeries = {
  figure: "pages",
  unit: "count",
  total: "sum",
  value: 12,
  before: 10,
  beforeDays: 90,
  values: [null, 0, 1234.5],
};

describe("figures", () => {
  it("are each in one group", () => {
    const names = GROUPS.flatMap(({ figures }) => [...figures]);
    expect(new Set(names).size).toBe(20);
    expect(names).toHaveLength(20);
  });

  it("are compared with the average of the seven days before", () => {
    const values = [1000, 1, 2, 3, null, 4, 5, 6, 7];
    expect(todayAndUsual({ values })).toEqual({ today: 7, usual: 3.5 });
    expect(todayAndUsual({ values: [null] })).toEqual({ today: null, usual: null });
  });

  it.each([
    [0, "0 s"],
    [59, "59 s"],
    [60, "1 min"],
    [7199, "120 min"],
    [9000, "2.5 h"],
    [200_000, "2.3 days"],
  ])("write %d seconds as %s", (seconds, words) => expect(formatDuration(seconds, t)).toBe(words));

  it.each([
    [12345, { figure: "notices", unit: "count" }, "12,345"],
    [7230, { figure: "review-time", unit: "seconds" }, "121 min"],
    [3.25, { figure: "churn", unit: "percent" }, "3.3 %"],
    [-5000.5, { figure: "revenue", unit: "rupees" }, "LKR -5,001"],
  ] as const)("write %d with its unit", (value, series, words) =>
    expect(formatValue(value, series, t)).toBe(words),
  );

  it.each([
    [{}, "up", "20 % more than in the 90 days before"],
    [{ value: 10 }, "same", "The same as in the 90 days before"],
    [{ value: 0 }, "down", "100 % less than in the 90 days before"],
    [{ value: 10_001, before: 10_000 }, "up", "< 1 % more than in the 90 days before"],
    [{ before: 0 }, "up", "None in the 90 days before"],
    [{ before: null }, "unknown", "No figures of the days before"],
    [
      { figure: "subscribers", total: "last", beforeDays: 28, before: 15 },
      "down",
      "3 less than 28 days before",
    ],
    [
      { figure: "churn", unit: "percent", total: "last", beforeDays: 28, value: 3.2, before: 3 },
      "up",
      "0.2 points more than 28 days before",
    ],
    [
      { figure: "pages-age", unit: "seconds", total: "last", beforeDays: null, before: null },
      "unknown",
      "Longest of a day in 90 days: 21 min",
    ],
  ] as const)("say the change %#", (change, direction, text) =>
    expect(changeOf({ ...pages, ...change } as FigureSeries, t)).toEqual({ direction, text }),
  );

  it("have days across months and leap days, and no value where it is not known", () => {
    expect(dayAfter("2028-02-28", 2)).toBe("2028-03-01");
    expect(csvOf(pages, "2026-12-31")).toBe(
      "day,pages (count)\r\n2026-12-31,\r\n2027-01-01,0\r\n2027-01-02,1234.5\r\n",
    );
  });
});
