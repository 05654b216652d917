// The countdown to the closing date of a tender.

import { enumValues, parseEnum } from "@/api/enums.ts";
import type { Tender } from "@/api/types.ts";
import { daysUntil } from "@/shared/format/dates.ts";

/** How a tender can end before its closing. */
export type TenderEnd = Extract<Tender["status"], "awarded" | "cancelled" | "withdrawn">;

const TENDER_ENDS = enumValues<TenderEnd>()("awarded", "cancelled", "withdrawn");

/** How the tender ended, whatever its closing date is; `null` if only its closing ends it. */
export function endOf(status: Tender["status"] | undefined): TenderEnd | null {
  return parseEnum(TENDER_ENDS, status);
}

/** How near a closing date is: `urgent` up to three days, `soon` up to seven, else `calm`. */
export type Urgency = "urgent" | "soon" | "calm";

export type Countdown = { closed: true } | { closed: false; days: number; urgency: Urgency };

/** How near a day is that is `days` ahead. One that is over counts as urgent. */
export function urgencyOf(days: number): Urgency {
  return days <= 3 ? "urgent" : days <= 7 ? "soon" : "calm";
}

/** The countdown to `closing`; `null` if `closing` is missing or invalid. */
export function countdownTo(closing: string | null | undefined, now: number): Countdown | null {
  if (!closing) return null;
  const at = Date.parse(closing);
  if (Number.isNaN(at)) return null;
  if (at < now) return { closed: true };
  const days = daysUntil(closing, now);
  return { closed: false, days, urgency: urgencyOf(days) };
}
