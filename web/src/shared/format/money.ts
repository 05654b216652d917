// Numbers as text: amounts without decimals, estimated values in millions, and file sizes. All
// languages use the same figures. Amounts are grouped in thousands, as in Sri Lankan notices.

import { t } from "@/i18n/i18n.ts";
import { numberFormat } from "./numberFormat.ts";

const wholeFormat = numberFormat({ maximumFractionDigits: 0 });
const millionsFormat = numberFormat({ maximumFractionDigits: 2 });

/** "LKR 1,250,000", rounded to whole units. */
export function formatAmount(amount: number, currency: string | null | undefined): string {
  return `${currency ?? "LKR"} ${wholeFormat(amount)}`;
}

/** "LKR 12.5 million", from an amount in millions. */
export function formatMillions(amount: number, currency: string | null | undefined): string {
  return t("tenders.millions", { currency: currency ?? "LKR", amount: millionsFormat(amount) });
}

/** The number of kilobytes with one decimal. */
export function formatKilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
