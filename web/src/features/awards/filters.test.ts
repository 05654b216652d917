import { expect, it } from "vitest";
import { hasRareFilters, isFiltered, readFilters, toQuery, writeFilters } from "./filters.ts";

const read = (query: string) => readFilters(new URLSearchParams(query));

it("keeps the filters in the address", () => {
  const query = "search=bridge&year=2018&minAmount=1%2C000&page=3";
  expect(writeFilters(read(query)).toString()).toBe(query);
  expect(writeFilters(read("page=1&unknown=x")).toString()).toBe("");
});

it("sends amounts as numbers, and leaves out what is none", () => {
  expect(toQuery(read("minAmount=12,500,000&maxAmount=lots&year=2018&currency=USD"))).toEqual({
    page: 1,
    limit: 20,
    year: 2018,
    currency: "USD",
    minAmount: 12_500_000,
  });
  expect(toQuery(read("currency=%3Cscript%3E&page=-2"))).toEqual({ page: 1, limit: 20 });
});

it("knows which filters narrow the list", () => {
  expect(isFiltered(read("page=2"))).toBe(false);
  expect(isFiltered(read("search=x"))).toBe(true);
  expect(hasRareFilters(read("search=x"))).toBe(false);
  expect(hasRareFilters(read("winner=x&body=y"))).toBe(false);
  expect(hasRareFilters(read("year=2018"))).toBe(true);
});
