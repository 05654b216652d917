// The closing and the pre-bid meeting of a tender as a calendar file (RFC 5545).

import type { Tender } from "@/api/types.ts";

/** The maximum length of a line in bytes, without its end. */
const LONGEST_LINE = 75;

/** The titles of the entries, in the reader's language. */
export interface CalendarWords {
  closing: string;
  preBid: string;
}

const encoder = new TextEncoder();

/** Escapes a property's value. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r?\n/g, "\\n")
    .replaceAll(/\p{Cc}/gu, " ");
}

/** Folds a line between characters, so that no line exceeds the maximum. */
function folded(line: string): string {
  const lines: string[] = [];
  let current = "";
  let bytes = 0;
  for (const letter of line) {
    const size = encoder.encode(letter).length;
    if (bytes + size > LONGEST_LINE) {
      lines.push(current);
      current = " ";
      bytes = 1;
    }
    current += letter;
    bytes += size;
  }
  return [...lines, current].join("\r\n");
}

/** `20261201T083000Z`; `null` for an invalid time. */
function utc(moment: string | null | undefined): string | null {
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
  const told = [tender.organization?.name, tender.referenceNo].filter(Boolean).join(", ");
  return [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `DTSTAMP:${utc(now.toISOString())}`,
    `DTSTART:${at}`,
    `DTEND:${at}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped([told, address].filter(Boolean).join("\n"))}`,
    ...(place ? [`LOCATION:${escaped(place)}`] : []),
    `URL:${address}`,
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${escaped(title)}`,
    // Two days ahead, when there is still time to write a bid.
    "TRIGGER:-P2D",
    "END:VALARM",
    "END:VEVENT",
  ];
}

/** The file; `null` without a closing and a meeting. */
export function calendarFile(
  tender: Tender,
  address: string,
  words: CalendarWords,
  now: Date,
): string | null {
  const events: CalendarEntry[] = [
    {
      uid: `${tender._id}@closing`,
      at: utc(tender.dates?.closing),
      title: `${words.closing}: ${tender.title}`,
    },
    {
      uid: `${tender._id}@pre-bid`,
      at: utc(tender.preBid?.at),
      title: `${words.preBid}: ${tender.title}`,
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
  return `${lines.map(folded).join("\r\n")}\r\n`;
}
