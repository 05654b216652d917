// The countdown to the closing date of a tender.

import { daysUntil } from "@/shared/format/dates.ts";

/** How near a closing date is: `urgent` up to three days, `soon` up to seven, else `calm`. */
export type Urgency = "urgent" | "soon" | "calm";

export type Countdown = { closed: true } | { closed: false; days: number; urgency: Urgency };

/** The countdown to `closing`; `null` if `closing` is missing or invalid. */
export function countdownTo(closing: string | null | undefined, now: number): Countdown | null {
  if (!closing) return null;
  const at = Date.parse(closing);
  if (Number.isNaN(at)) return null;
  if (at < now) return { closed: true };
  const days = daysUntil(closing, now);
  return { closed: false, days, urgency: days <= 3 ? "urgent" : days <= 7 ? "soon" : "calm" };
}
