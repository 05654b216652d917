import { expect, it } from "vitest";
import { numberFormat } from "./numberFormat.ts";

it.each([
  { maximumFractionDigits: 0 },
  { maximumFractionDigits: 1 },
  { maximumFractionDigits: 2 },
  { minimumFractionDigits: 2, maximumFractionDigits: 2 },
])("formats numbers like the browser with %o", (options) => {
  const [format, browser] = [numberFormat(options), new Intl.NumberFormat("en-LK", options)];
  const values = [
    0,
    1e-7,
    0.005,
    0.1,
    0.995,
    1.005,
    2.5,
    12.34,
    999.999,
    1000,
    84_000_000,
    1e9 + 0.125,
    1e15,
  ];
  for (const value of values.flatMap((one) => (one === 0 ? [one] : [one, -one]))) {
    expect(format(value), String(value)).toBe(browser.format(value));
  }
});
