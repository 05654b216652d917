import { expect, it } from "vitest";
import { paths } from "@/shared/paths.ts";
import { pageAt, pages } from "./pages.ts";

it.each([
  ["/", null],
  ["/tenders", "/tenders"],
  ["/tenders/", "/tenders"],
  ["/tenders/01939999-0000-7000-8000-0000000000aa", "/tenders/:id"],
  ["/tenders/a/b", "*"],
  ["/tendersx", "*"],
  ["/supplier/tenders/a/edit", "/supplier/tenders/:id/edit"],
  ["/supplier", "*"],
  ["//", null],
  ["", "*"],
  ["/%E0%B6%9A", "*"],
  ["/[", "*"],
])("finds the page at %j", (pathname, path) => {
  expect(pageAt(pathname)?.path ?? null).toBe(path);
});

it("has a page for every path, and a path for every page", () => {
  const addresses = [
    ...Object.values(paths).filter((path) => typeof path === "string"),
    paths.tender("x"),
    paths.buyer("road-development-authority"),
    paths.marketDistrict("Nuwara Eliya"),
    paths.marketSector("it"),
    paths.invoice("x"),
    paths.bid("x"),
    paths.bidCover("x"),
    paths.editTender("x"),
    paths.operatePage("x"),
    paths.operateBatch("x"),
  ].filter((address) => address !== paths.home);
  const found = addresses.map((address) => [address, pageAt(address)?.path]);
  expect(found.filter(([, page]) => page === "*")).toEqual([]);
  const reached = new Set(found.map(([, page]) => page));
  expect(pages.map(({ path }) => path).filter((path) => path !== "*" && !reached.has(path))).toEqual([]);
});
