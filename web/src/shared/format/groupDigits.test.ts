import { expect, it } from "vitest";
import { groupDigits, groupDigitsOf } from "./groupDigits.ts";

it.each([
  ["84000000", "84,000,000"],
  ["8400,0000", "84,000,000"],
  ["1 250 000.5", "1,250,000.5"],
  ["999", "999"],
  ["", ""],
  ["many", "many"],
  ["-3000", "-3000"],
])("groups the digits of %j", (text, grouped) => {
  expect(groupDigits(text)).toBe(grouped);
});

it("keeps the caret before the same digit", () => {
  const input = document.createElement("input");
  input.value = "12345";
  input.setSelectionRange(1, 1);
  groupDigitsOf(input);
  expect([input.value, input.selectionStart]).toEqual(["12,345", 1]);
  input.value = "12,3450";
  input.setSelectionRange(7, 7);
  groupDigitsOf(input);
  expect([input.value, input.selectionStart]).toEqual(["123,450", 7]);
});
