// The fields of a notice as a reviewer edits them: their order, their kinds, and their values as
// text. The server parses the text, and accepts everything that this module writes.

import type { ReviewNotice } from "@/api/types.ts";
import { type ChoiceKind, choicesOf, isChoice } from "./choices.ts";

/** How a field is edited. */
export type FieldKind = "text" | "long" | "date" | "amount" | "list" | ChoiceKind;

export interface ReviewField {
  /** The path of the field: `dates.closing`. */
  path: string;
  kind: FieldKind;
  state: "certain" | "doubtful" | "not-read";
  /** The value as read. Empty if nothing was read. */
  value: string;
  /** The printed words of the value. */
  printed: string;
  /** The values that the field may have instead, the most probable first. */
  proposals: Proposal[];
}

interface Proposal {
  value: string;
  /** The name of the reader; `null` if the value is printed in the notice. */
  reader: string | null;
}

/** The fields that are always shown, in this order. */
const SHOWN: readonly [path: string, kind: FieldKind][] = [
  ["title", "long"],
  ["organization.name", "text"],
  ["referenceNo", "text"],
  ["dates.closing", "date"],
  ["category", "category"],
  ["location.district", "district"],
  ["kind", "kind"],
  ["location.city", "text"],
  ["dates.opening", "date"],
  ["financials.bidBond.amount", "amount"],
  ["documentFee.amount", "amount"],
  ["organization.contactPerson.phone", "text"],
];

/** Fields that are shown only if they are doubtful and whose kind is not a text. */
const OTHER_KINDS: Record<string, FieldKind> = {
  description: "long",
  "preBid.at": "date",
  "dates.published": "date",
  "documentFee.saleFrom": "date",
  "documentFee.saleUntil": "date",
  "financials.performanceBond.amount": "amount",
  "financials.estimatedValue.amount": "amount",
  language: "language",
  priority: "priority",
  "organization.type": "organizationType",
  "location.province": "province",
};

/** The fields that take a day without a time. */
const DAYS: readonly string[] = ["documentFee.saleFrom", "documentFee.saleUntil"];

/** The state of whether the text is a notice at all. It is not a field. */
export const IS_NOTICE = "notice";

/** The most proposals that have a key: 1 to 9. */
const MAX_PROPOSALS = 9;

function valueAt(notice: object, path: string): unknown {
  let value: unknown = notice;
  for (const name of path.split(".")) {
    value = value && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value;
}

/** A value as a person types it. */
export function valueAsText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  const moment = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d)(?:\.\d+)?\+05:30$/.exec(value);
  if (!moment) return value;
  const [, day = "", time = "", seconds] = moment;
  // A day without a time is stored as its last second, or as its first.
  if ((time === "23:59" && seconds === "59") || time === "00:00") return day;
  return `${day} ${time}`;
}

/** The fields of a notice: those to check first, then the others. */
export function reviewFields(review: ReviewNotice): ReviewField[] {
  const { notice, words } = review;
  const states = notice.fieldStates ?? {};
  const shown = new Map<string, FieldKind>(SHOWN);
  for (const path of Object.keys(states)) {
    if (path !== IS_NOTICE && !shown.has(path)) {
      const isList = Array.isArray(valueAt(notice, path));
      shown.set(path, isList ? "list" : (OTHER_KINDS[path] ?? "text"));
    }
  }
  const fields = [...shown].map(([path, kind]): ReviewField => {
    const value = valueAsText(valueAt(notice, path));
    const state = states[path] === "doubtful" || states[path] === "not-read" ? states[path] : "certain";
    const printed = notice.evidence?.[path]?.text ?? "";
    return { path, kind, state, value, printed, proposals: proposalsOf(review, path, kind, value, words) };
  });
  return [
    ...fields.filter(({ state }) => state !== "certain"),
    ...fields.filter(({ state }) => state === "certain"),
  ];
}

function proposalsOf(
  { notice }: ReviewNotice,
  path: string,
  kind: FieldKind,
  value: string,
  words: ReviewNotice["words"],
): Proposal[] {
  const read = (notice.otherReadings?.[path] ?? []).map(
    (other): Proposal => ({ value: valueAsText(other.value), reader: other.reader }),
  );
  const printed = words.values
    .filter((one) => one.kind === kind)
    .map((one): Proposal => ({ value: one.value, reader: null }));
  const seen = new Set([value, ""]);
  const unseen = [...read, ...printed].filter((proposal) => {
    const isNew = !seen.has(proposal.value);
    seen.add(proposal.value);
    return isNew;
  });
  return unseen.slice(0, MAX_PROPOSALS);
}

/** A value that a field accepts, for a reviewer whose value was refused. `null`: any text is a value. */
export function exampleOf({ path, kind }: Pick<ReviewField, "path" | "kind">): string | null {
  if (kind === "amount") return "50,000.00";
  if (kind === "date") return DAYS.includes(path) ? "2026-12-01" : "2026-12-01 14:00";
  return null;
}

/** The value of some selected words for a field of this kind. `null`: they are none of its choices. */
export function valueOfWords(
  { words, values }: ReviewNotice["words"],
  kind: FieldKind,
  first: number,
  last: number,
): string | null {
  // A date field takes the longest date that overlaps the selection, so that one word is enough.
  const found = values
    .filter((one) => one.kind === kind && one.first <= last && one.last >= first)
    .sort((a, b) => b.last - b.first - (a.last - a.first) || b.value.length - a.value.length);
  if (found[0]) return found[0].value;
  const text = words
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join(" ");
  if (!isChoice(kind)) return text;
  return choicesOf(kind).find((choice) => choice.toLowerCase() === text.toLowerCase()) ?? null;
}

/** The edited fields: only those whose text differs from what was read. */
export function changedFields(fields: ReviewField[], texts: Record<string, string>): Record<string, string> {
  const changed = fields.filter(({ path, value }) => (texts[path] ?? value).trim() !== value.trim());
  return Object.fromEntries(changed.map(({ path }) => [path, (texts[path] ?? "").trim()]));
}
