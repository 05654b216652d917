import { describe, expect, it } from "vitest";
import { pageWindow, shownRange } from "./pagination.ts";

describe("pageWindow", () => {
  it.each([
    [1, 0, []],
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [1, 9, [1, 2, 3, 4, 5]],
    [3, 9, [1, 2, 3, 4, 5]],
    [4, 9, [2, 3, 4, 5, 6]],
    [8, 9, [5, 6, 7, 8, 9]],
    [9, 9, [5, 6, 7, 8, 9]],
    [50, 9, [5, 6, 7, 8, 9]],
  ])("page %i of %i", (current, total, expected) => {
    expect(pageWindow(current, total)).toEqual(expected);
  });
});

describe("shownRange", () => {
  const pagination = { current: 3, total: 3, totalCount: 24, hasPrev: true, hasNext: false };

  it("counts positions from the first tender of the first page", () => {
    expect(shownRange(pagination, 4, 10)).toEqual({ from: 21, to: 24, total: 24 });
  });

  it("is 0 - 0 without tenders", () => {
    expect(shownRange({ ...pagination, totalCount: 0 }, 0, 10)).toEqual({ from: 0, to: 0, total: 0 });
  });
});
