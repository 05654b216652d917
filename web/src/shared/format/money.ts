// Money as text: a currency code, no decimals unless they say something, estimated values in millions. Figures are the
// same in all three languages, grouped in thousands as Sri Lanka's notices print them.

import { t } from "@/i18n/i18n.ts";

const whole = new Intl.NumberFormat("en-LK", { maximumFractionDigits: 0 });
const millions = new Intl.NumberFormat("en-LK", { maximumFractionDigits: 2 });

/** "LKR 1,250,000". */
export function formatAmount(amount: number, currency: string | null | undefined): string {
  return `${currency ?? "LKR"} ${whole.format(amount)}`;
}

/** "LKR 12.5 million", from an amount in millions. */
export function formatMillions(amount: number, currency: string | null | undefined): string {
  return t("tenders.millions", { currency: currency ?? "LKR", amount: millions.format(amount) });
}

/** Bytes as KB with one decimal. */
export function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
