import { describe, expect, it } from "vitest";
import {
  type Filters,
  fromSearchQuery,
  hasQuickFilter,
  isFiltered,
  listChoices,
  noFilters,
  readFilters,
  toggleChoice,
  toListQuery,
  toQuery,
  toSearchQuery,
  writeFilters,
} from "./filters.ts";

const read = (address: string) => readFilters(new URLSearchParams(address));

describe("filters in the address", () => {
  it.each<Filters>([
    noFilters,
    { ...noFilters, category: "construction" },
    { ...noFilters, category: "it", search: "server room & cooling", page: 3 },
    { ...noFilters, show: "closed", page: 2 },
    { ...noFilters, sort: "closing", advanced: { districts: ["Galle", "Nuwara Eliya"], kinds: ["sale"] } },
    { ...noFilters, search: "pump", advanced: { closingFrom: "2026-11-20", minValue: "2.5" }, page: 2 },
    { ...noFilters, show: "live", advanced: { organizations: ["Roads & Bridges, Ltd."] } },
    { ...noFilters, search: "pump", hideClosed: true, mayBid: true },
  ])("are written and read back: %j", (filters) => {
    expect(readFilters(writeFilters(filters))).toEqual(filters);
  });

  it("are omitted if they are unset", () => {
    expect(writeFilters(noFilters).toString()).toBe("");
  });

  it("ignore the search bar if a stat card is set", () => {
    expect(read("show=live&category=it&search=pump")).toEqual({ ...noFilters, show: "live" });
  });

  it.each([
    "page=0",
    "page=-1",
    "page=1.5",
    "page=x",
    "page=1e9",
    "category=all",
    "show=soon",
    "search=%20%20",
    "districts=%7C%20%7C",
    "closingFrom=tomorrow",
    "minValue=-1",
    "minValue=1e9",
    "sort=backwards",
  ])("ignore the invalid value %s", (address) => {
    expect(read(address)).toEqual(noFilters);
    expect(isFiltered(read(address))).toBe(false);
  });

  it("contain a search without control characters", () => {
    expect(read("search=%00pump%0A%09set%7F").search).toBe("pump set");
  });

  it("contain a very long search in shortened form", () => {
    expect(read(`search=${"a".repeat(5000)}`).search).toHaveLength(200);
  });
});

describe("the query of the call", () => {
  it("omits unset filters", () => {
    expect(toQuery(noFilters)).toEqual({ page: 1, limit: 10 });
  });

  it.each([
    ["today", "publishedToday"],
    ["live", "isLive"],
    ["closed", "isClosed"],
  ] as const)("requests %s with %s", (show, name) => {
    expect(toQuery({ ...noFilters, show })).toEqual({ page: 1, limit: 10, [name]: true });
  });

  it("hides closed tenders unless a card is chosen", () => {
    const filters = { ...noFilters, hideClosed: true };
    expect(toQuery(filters)).toEqual({ page: 1, limit: 10, hideClosed: true });
    expect(toQuery({ ...filters, show: "closed" })).toEqual({ page: 1, limit: 10, isClosed: true });
  });

  it("asks only the list for tenders for which the company may bid", () => {
    const filters = { ...noFilters, mayBid: true };
    expect(toQuery(filters)).toEqual({ page: 1, limit: 10 });
    const bidAnswers = "can-bid|not-certain|not-stated";
    expect(toListQuery(filters)).toEqual({ page: 1, limit: 10, bidAnswers });
  });

  it("sends category and text together", () => {
    const query = toQuery({ ...noFilters, category: "supply", search: "tyres", page: 2 });
    expect(query).toEqual({ page: 2, limit: 10, category: "supply", search: "tyres" });
  });
});

describe("the advanced search", () => {
  it("adds and removes a choice", () => {
    const once = toggleChoice({ minValue: "2" }, { name: "districts", value: "Galle" });
    expect(once).toEqual({ minValue: "2", districts: ["Galle"] });
    const twice = toggleChoice(once, { name: "districts", value: "Kandy" });
    expect(listChoices(twice).map(({ value }) => value)).toEqual(["Galle", "Kandy", "2"]);
    expect(
      listChoices(
        toggleChoice(toggleChoice(twice, { name: "districts", value: "Galle" }), {
          name: "minValue",
          value: "2",
        }),
      ),
    ).toEqual([{ name: "districts", value: "Kandy" }]);
  });

  it("is a filter, but not a quick filter", () => {
    const filters = { ...noFilters, advanced: { kinds: ["sale"] } };
    expect([isFiltered(filters), hasQuickFilter(filters)]).toEqual([true, false]);
  });

  it("removes duplicates and limits the number of choices", () => {
    const many = Array.from({ length: 80 }, (_, n) => `City ${n % 70}`).join("%7C");
    expect(read(`organizations=${many}`).advanced.organizations).toHaveLength(50);
  });

  it("sends each filter with the same parameter name as in the address", () => {
    const query = toQuery({
      ...noFilters,
      sort: "value",
      advanced: { grades: ["C5", "C6"], maxValue: "10" },
    });
    expect(query).toEqual({ page: 1, limit: 10, grades: "C5|C6", maxValue: "10", sort: "value" });
  });
});

it("stores a search as a query string and restores it", () => {
  for (const address of [
    "",
    "search=road+works&category=construction",
    "show=live",
    "show=today&sort=closing",
    "search=road&hideClosed=true",
    "districts=Matara%7CGalle&minValue=2.5&sort=value",
  ]) {
    const filters = readFilters(new URLSearchParams(address));
    expect(fromSearchQuery(toSearchQuery({ ...filters, page: 4 }))).toEqual(filters);
  }
  expect(toSearchQuery(readFilters(new URLSearchParams("show=closed&page=3")))).toBe("isClosed=true");
});
