import { describe, expect, test } from "vitest";
import { accuracyTable, shareOfCertain, shareRight } from "./accuracy.ts";

const count = (week: string, field: string, right: number, wrong: number, missed = 0) => ({
  week,
  field,
  right,
  wrong,
  missed,
  certain: right + wrong,
  certainWrong: wrong,
});

describe("the table of accuracy", () => {
  test("has one row a field and one column a week", () => {
    const table = accuracyTable(
      [
        count("2026-11-16", "title", 8, 2),
        count("2026-11-23", "title", 9, 0, 1),
        count("2026-11-16", "cida", 1, 1),
        count("2026-11-23", "notice", 5, 0),
      ],
      ["notice", "title"],
    );
    expect(table.weeks).toEqual(["2026-11-23", "2026-11-16"]);
    expect(table.rows.map(({ field }) => field)).toEqual(["notice", "title", "cida"]);
    expect(shareRight(table.rows[1]?.total ?? table.total)).toBe(17 / 20);
    expect(table.rows[2]?.byWeek.has("2026-11-23")).toBe(false);
    expect(shareRight(table.total)).toBe(23 / 27);
    expect(shareOfCertain(table.total)).toBe(23 / 26);
  });

  test("has no shares without values", () => {
    const { total, rows } = accuracyTable([], []);
    expect([shareRight(total), shareOfCertain(total), rows]).toEqual([null, null, []]);
  });
});
