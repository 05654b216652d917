import { expect, it } from "vitest";
import { pageAt } from "./pages.ts";

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
