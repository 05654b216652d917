// Formats numbers as in Sri Lankan notices, the same in every language.

import { groupDigits } from "./groupDigits.ts";

interface Fraction {
  minimumFractionDigits?: number;
  maximumFractionDigits: number;
}

/** A number that is not negative with so many decimals. Its digits are rounded as they are written, half up. */
function rounded(value: number, decimals: number): string {
  const units = Math.round(Number(`${value}e${decimals}`));
  return (Number.isNaN(units) ? value : units / 10 ** decimals).toFixed(decimals);
}

/**
 * Returns a function that formats numbers with so many decimals, in groups of thousands. The browser's own
 * formatter takes a slow phone more than 20 ms to make.
 */
export function numberFormat({ minimumFractionDigits = 0, maximumFractionDigits }: Fraction) {
  return (value: number): string => {
    const [whole = "", decimals = ""] = rounded(Math.abs(value), maximumFractionDigits).split(".");
    const kept = decimals.replace(/0+$/, "").padEnd(minimumFractionDigits, "0");
    return `${value < 0 ? "-" : ""}${groupDigits(whole)}${kept && `.${kept}`}`;
  };
}
