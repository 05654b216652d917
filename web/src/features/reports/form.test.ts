import { describe, expect, it } from "vitest";
import { isComplete, moveItem, newReport, type ReportQuery, reportFilters, withFilters } from "./form.ts";

const definition: ReportQuery = { ...newReport.definition, query: "districts=Galle&search=road" };

describe("the filters of a report", () => {
  it("are the listing's filters within the days of the period", () => {
    const days = { from: "2026-11-01", until: "2026-11-30" };
    const filters = reportFilters(definition, days);
    expect(filters.search).toBe("road");
    expect(filters.advanced).toMatchObject({
      districts: ["Galle"],
      publishedFrom: "2026-11-01",
      publishedUntil: "2026-11-30",
    });
    const closing = reportFilters({ ...definition, period: { by: "closing", span: "thisMonth" } }, days);
    expect(closing.advanced).toMatchObject({ closingFrom: "2026-11-01" });
    expect(closing.advanced.publishedFrom).toBeUndefined();
  });

  it("are stored without the days of the period", () => {
    const advanced = { districts: ["Kandy"], publishedFrom: "2026-11-01", closingUntil: "2026-12-01" };
    const query = new URLSearchParams(withFilters(definition, { advanced }).query);
    expect(Object.fromEntries(query)).toEqual({
      districts: "Kandy",
      closingUntil: "2026-12-01",
      search: "road",
    });
  });
});

it("moves an item by one position, but not beyond the ends of the list", () => {
  expect(moveItem(["a", "b", "c"], "b", -1)).toEqual(["b", "a", "c"]);
  expect(moveItem(["a", "b", "c"], "b", 1)).toEqual(["a", "c", "b"]);
  expect(moveItem(["a", "b", "c"], "a", -1)).toEqual(["a", "b", "c"]);
  expect(moveItem(["a", "b", "c"], "c", 1)).toEqual(["a", "b", "c"]);
});

it("requires columns, and both days of a range in order", () => {
  const range = (from?: string, until?: string): ReportQuery => ({
    ...definition,
    period: { by: "published", span: "range", ...(from && { from }), ...(until && { until }) },
  });
  expect(isComplete(definition)).toBe(true);
  expect(isComplete(range("2026-11-01"))).toBe(false);
  expect(isComplete(range("2026-11-02", "2026-11-01"))).toBe(false);
  expect(isComplete(range("2026-11-01", "2026-11-01"))).toBe(true);
  expect(isComplete({ ...definition, columns: [] })).toBe(false);
});
