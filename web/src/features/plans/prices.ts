// Prices as texts.

import type { Translate } from "@/i18n/translate.ts";
import type { BillingCycle } from "./api.ts";

const exact = new Intl.NumberFormat("en-LK", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat("en-LK", { maximumFractionDigits: 0 });

/** "LKR 5,000", or "LKR 4,000.50" with cents. */
export function formatPrice(amount: number, currency: string): string {
  return `${currency} ${Number.isInteger(amount) ? whole.format(amount) : exact.format(amount)}`;
}

/** "LKR 5,000.00", as on an invoice. */
export function formatExact(amount: number, currency: string): string {
  return `${currency} ${exact.format(amount)}`;
}

/** "LKR 5,000 a month". */
export function priceLabel(amount: number, currency: string, cycle: BillingCycle, t: Translate): string {
  return `${formatPrice(amount, currency)} ${t(cycle === "yearly" ? "plans.aYear" : "plans.aMonth")}`;
}
