// When the next mail of an alert is sent.

import type { Alert } from "./api.ts";

const DAY = 86_400_000;
/** Colombo has no summer time. */
const OFFSET = "+05:30";
/** Weekly mails are sent on Mondays at this time. */
const WEEKLY_TIME = "09:00";
const MONDAY = 1;

/**
 * The next moment, after `now`, at which the alert's matches are mailed, as an ISO time; `null` if they are mailed
 * at once or not at all.
 */
export function nextMail(
  { enabled, frequency, dailySummaryTime }: Alert["emailSettings"],
  now: number,
): string | null {
  if (!enabled || frequency === "immediate") return null;
  const time = frequency === "daily" ? dailySummaryTime : WEEKLY_TIME;
  for (let days = 0; days <= 7; days += 1) {
    const local = new Date(now + days * DAY + 5.5 * 3_600_000);
    const moment = `${local.toISOString().slice(0, 10)}T${time}:00${OFFSET}`;
    const isDay = frequency === "daily" || local.getUTCDay() === MONDAY;
    if (isDay && Date.parse(moment) > now) return moment;
  }
  return null;
}
