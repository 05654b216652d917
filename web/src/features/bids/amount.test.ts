import { expect, it } from "vitest";
import { readAmount } from "./amount.ts";

it.each([
  ["", null],
  ["  ", null],
  ["1250000", 1_250_000],
  ["1,250,000.50", 1_250_000.5],
  ["Rs. 75 000", 75_000],
  ["LKR 5", 5],
  ["-5", undefined],
  ["five", undefined],
  ["1.234", undefined],
  ["99999999999999", undefined],
])("reads %j as %j", (text, amount) => {
  expect(readAmount(text)).toBe(amount);
});
