// The bid security of the lots of a tender, in words.

import type { Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { formatAmount } from "@/shared/format/money.ts";

/**
 * The smallest bid security of the lots. `null`: the notice states one security for all, none of the lots has
 * one, or they are of several kinds or currencies.
 */
export function lotBondText({ financials, lots }: Tender, t: Translate): string | null {
  const whole = financials?.bidBond;
  if (whole?.amount != null || whole?.percentage != null) return null;
  const bonds = (lots ?? []).flatMap(({ bidBond }) => bidBond ?? []);
  const amounts = bonds.flatMap(({ amount }) => amount ?? []);
  const percentages = bonds.flatMap(({ amount, percentage }) => (amount == null ? (percentage ?? []) : []));
  const [currency, ...others] = new Set(bonds.map((bond) => bond.currency ?? null));
  const values = amounts.length > 0 ? amounts : percentages;
  if (values.length === 0 || (amounts.length > 0 && percentages.length > 0) || others.length > 0) return null;
  const smallest = Math.min(...values);
  const value = amounts.length > 0 ? formatAmount(smallest, currency) : `${smallest} %`;
  const isSame = values.every((value) => value === smallest);
  return t(isSame ? "tenders.card.bidBondOfLot" : "tenders.card.bidBondOfLots", { value });
}
