import { describe, expect, it } from "vitest";
import { everything, type Filters, isFiltered, readFilters, toQuery, writeFilters } from "./filters.ts";

const read = (address: string) => readFilters(new URLSearchParams(address));

describe("the address", () => {
  it.each<Filters>([
    everything,
    { ...everything, category: "construction" },
    { ...everything, category: "it", search: "server room & cooling", page: 3 },
    { ...everything, show: "closed", page: 2 },
  ])("keeps %j", (filters) => {
    expect(readFilters(writeFilters(filters))).toEqual(filters);
  });

  it("leaves out what is not set", () => {
    expect(writeFilters(everything).toString()).toBe("");
  });

  it("lets a stat card win over the search bar: they exclude one another", () => {
    expect(read("show=live&category=it&search=pump")).toEqual({ ...everything, show: "live" });
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
  ])("reads %s as no filter", (address) => {
    expect(read(address)).toEqual(everything);
    expect(isFiltered(read(address))).toBe(false);
  });

  it("takes control characters out of a search", () => {
    expect(read("search=%00pump%0A%09set%7F").search).toBe("pump set");
  });

  it("cuts an endless search", () => {
    expect(read(`search=${"a".repeat(5000)}`).search).toHaveLength(200);
  });
});

describe("the call's query", () => {
  it("omits what is empty", () => {
    expect(toQuery(everything)).toEqual({ page: 1, limit: 10 });
  });

  it.each([
    ["today", "publishedToday"],
    ["live", "isLive"],
    ["closed", "isClosed"],
  ] as const)("asks for %s by %s", (show, name) => {
    expect(toQuery({ ...everything, show })).toEqual({ page: 1, limit: 10, [name]: true });
  });

  it("sends category and text together", () => {
    const query = toQuery({ ...everything, category: "supply", search: "tyres", page: 2 });
    expect(query).toEqual({ page: 2, limit: 10, category: "supply", search: "tyres" });
  });
});
