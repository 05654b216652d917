// What the page of a tender says of bidding besides the answer: registrations that end soon, and whether the
// tender still takes bids.

import type { Bidding, Company, Tender } from "@/api/types.ts";
import { daysUntil } from "@/shared/format/dates.ts";
import { endOf } from "@/shared/tender/countdown.ts";
import { CLOSING_PATH, fieldState } from "@/shared/tender/fieldStates.ts";

/** A contract is signed about three months after the closing, and asks for a registration that is still valid. */
const AWARD_DAYS = 90;

/** A registration that is valid on the closing day and ends soon after it. */
export interface EndingRegistration {
  name: string;
  expires: string;
  /** The days from the closing to the end; 0 on the closing day. */
  days: number;
}

/** The registrations that meet the requirements and end before a contract is likely to be signed. */
export function endingRegistrations(
  tender: Tender,
  requirements: Bidding["requirements"],
  company: Company | undefined,
): EndingRegistration[] {
  const closing = Date.parse(tender.dates?.closing ?? "");
  if (Number.isNaN(closing)) return [];
  return requirements.flatMap(({ kind, verdict, row }) => {
    if (verdict !== "met" || row == null) return [];
    const grade = kind === "grade" ? company?.cida?.[row] : undefined;
    const law = kind === "contracts-act" ? company?.contractsAct?.[row] : undefined;
    const expires = grade?.expires ?? law?.expires;
    if (!expires) return [];
    const name = grade ? `${grade.grade} ${grade.field}`.trim() : (law?.sector ?? "");
    const days = daysUntil(expires, closing);
    return days >= 0 && days <= AWARD_DAYS ? [{ name, expires, days }] : [];
  });
}

/** Whether a tender takes no more bids. */
export function takesNoBids(tender: Tender, now: number): boolean {
  const { dates, status } = tender;
  const isPast = dates?.closing != null && Date.parse(dates.closing) < now;
  const hasClosed = isPast && fieldState(tender, CLOSING_PATH) === "certain";
  return hasClosed || status === "closed" || endOf(status) !== null;
}
