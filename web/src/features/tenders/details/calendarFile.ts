// The closing and the pre-bid meeting of a tender as a calendar file (RFC 5545).

import type { Tender } from "@/api/types.ts";

/** The maximum length of a line in bytes, without the line break. */
const MAX_LINE_BYTES = 75;

/** The beginnings of the entries' titles, in the user's language. */
export interface CalendarTitles {
  closing: string;
  preBid: string;
}

const encoder = new TextEncoder();

/** Escapes a text for the value of a property. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r?\n/g, "\\n")
    .replaceAll(/\p{Cc}/gu, " ");
}

/** Splits a line between characters if it exceeds `MAX_LINE_BYTES`, as the format requires. */
function foldLine(line: string): string {
  const lines: string[] = [];
  let current = "";
  let bytes = 0;
  for (const letter of line) {
    const size = encoder.encode(letter).length;
    if (bytes + size > MAX_LINE_BYTES) {
      lines.push(current);
      current = " ";
      bytes = 1;
    }
    current += letter;
    bytes += size;
  }
  return [...lines, current].join("\r\n");
}

/** Formats a time in UTC, as in `20261201T083000Z`. Returns `null` for an invalid time. */
function toUtc(moment: string | null | undefined): string | null {
  const at = moment ? Date.parse(moment) : Number.NaN;
  if (Number.isNaN(at)) return null;
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

interface CalendarEntry {
  uid: string;
  at: string | null;
  title: string;
  place?: string | null | undefined;
}

function eventLines(
  { uid, at, title, place }: CalendarEntry,
  tender: Tender,
  address: string,
  now: Date,
): string[] {
  if (!at) return [];
  const details = [tender.organization?.name, tender.referenceNo].filter(Boolean).join(", ");
  return [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `DTSTAMP:${toUtc(now.toISOString())}`,
    `DTSTART:${at}`,
    `DTEND:${at}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText([details, address].filter(Boolean).join("\n"))}`,
    ...(place ? [`LOCATION:${escapeText(place)}`] : []),
    `URL:${address}`,
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${escapeText(title)}`,
    // Reminds the user two days earlier, when there is still time to write a bid.
    "TRIGGER:-P2D",
    "END:VALARM",
    "END:VEVENT",
  ];
}

/**
 * Builds the calendar file. Returns `null` if neither the closing nor the meeting has a valid time.
 */
export function calendarFile(
  tender: Tender,
  address: string,
  titles: CalendarTitles,
  now: Date,
): string | null {
  const events: CalendarEntry[] = [
    {
      uid: `${tender._id}@closing`,
      at: toUtc(tender.dates?.closing),
      title: `${titles.closing}: ${tender.title}`,
    },
    {
      uid: `${tender._id}@pre-bid`,
      at: toUtc(tender.preBid?.at),
      title: `${titles.preBid}: ${tender.title}`,
      place: tender.preBid?.place,
    },
  ];
  const entries = events.flatMap((event) => eventLines(event, tender, address, now));
  if (entries.length === 0) return null;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Serendib Tenders//EN",
    "METHOD:PUBLISH",
    ...entries,
    "END:VCALENDAR",
  ];
  return `${lines.map(foldLine).join("\r\n")}\r\n`;
}
