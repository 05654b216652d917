// Formats prices.

import type { Translate } from "@/i18n/translate.ts";
import { numberFormat } from "@/shared/format/numberFormat.ts";
import type { BillingCycle } from "./api.ts";

const withCents = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const withoutCents = numberFormat({ maximumFractionDigits: 0 });

/** Formats a price without needless cents: "LKR 5,000", but "LKR 4,000.50". */
export function formatPrice(amount: number, currency: string): string {
  return `${currency} ${Number.isInteger(amount) ? withoutCents(amount) : withCents(amount)}`;
}

/** Formats a price with its cents, as on an invoice: "LKR 5,000.00". */
export function formatExactPrice(amount: number, currency: string): string {
  return `${currency} ${withCents(amount)}`;
}

/** The price of a billing period: "LKR 5,000 a month". */
export function priceLabel(amount: number, currency: string, cycle: BillingCycle, t: Translate): string {
  return `${formatPrice(amount, currency)} ${t(cycle === "yearly" ? "plans.aYear" : "plans.aMonth")}`;
}
