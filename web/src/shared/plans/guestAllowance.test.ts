import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { recordOpenedTender, recordQuotaUsedUp, useDetailsLeft } from "./guestAllowance.ts";

const NOVEMBER = Date.parse("2026-11-30T23:00:00+05:30");
const DECEMBER = Date.parse("2026-12-01T00:30:00+05:30");

it("counts each tender once per month in Colombo", () => {
  const { result, rerender } = renderHook(({ now }) => useDetailsLeft(now), {
    initialProps: { now: NOVEMBER },
  });
  expect(result.current).toBe(3);
  act(() => recordOpenedTender("a", NOVEMBER));
  act(() => recordOpenedTender("a", NOVEMBER));
  act(() => recordOpenedTender("b", NOVEMBER));
  expect(result.current).toBe(1);
  rerender({ now: DECEMBER });
  expect(result.current).toBe(3);
});

it("shows that nothing is left once the server refuses further tenders", () => {
  recordOpenedTender("a", NOVEMBER);
  recordQuotaUsedUp(NOVEMBER);
  expect(renderHook(() => useDetailsLeft(NOVEMBER)).result.current).toBe(0);
  recordQuotaUsedUp(NOVEMBER);
  expect(renderHook(() => useDetailsLeft(NOVEMBER)).result.current).toBe(0);
});

it("ignores malformed data", () => {
  window.localStorage.setItem("guest_details", "{");
  expect(renderHook(() => useDetailsLeft(NOVEMBER)).result.current).toBe(3);
});
