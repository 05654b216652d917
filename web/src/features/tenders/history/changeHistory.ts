// The history of a tender as text. Each change has the label of the field, its old value and its
// new value.

import type { Tender } from "@/api/types.ts";
import { enumLabel, type Key, type Translate } from "@/i18n/translate.ts";
import { formatDay, formatMoment } from "@/shared/format/dates.ts";
import { formatMillions } from "@/shared/format/money.ts";
import { numberFormat } from "@/shared/format/numberFormat.ts";
import { gradeText } from "@/shared/tender/gradeText.ts";
import { bondText } from "../details/tenderFields.tsx";

type FieldChange = NonNullable<Tender["changes"]>[number];

/** The change of one field. An empty text means that the field has no value. */
interface Change {
  field: string;
  label: string;
  from: string;
  to: string;
}

/** All changes that the publisher, or one notice, made at one time. */
export interface HistoryEntry {
  at: string;
  /** The notice that made the changes; `null` for the publisher. */
  source: string | null;
  changes: Change[];
}

/** The source of a change that the publisher of the tender made. */
export const PUBLISHER_SOURCE = "owner";
/** The number of characters after which a text is cut. */
const MAX_TEXT_LENGTH = 160;

/** The labels of fields, by the path of a field or of its parent. The first match counts. */
const FIELD_LABELS: [string, Key][] = [
  ["title", "tenders.history.title"],
  ["description", "tenders.history.description"],
  ["fullTextMarkdown", "tenders.details.text"],
  ["dates.closing", "tenders.details.closes"],
  ["dates.opening", "tenders.details.opens"],
  ["dates.published", "tenders.details.published"],
  ["preBid", "tenders.details.preBid"],
  ["submission.methods", "tenders.details.submission"],
  ["submission", "tenders.details.submissionPlace"],
  ["financials.estimatedValue", "tenders.details.estimatedValue"],
  ["financials.bidBond", "tenders.details.bidBond"],
  ["financials.performanceBond", "tenders.details.performanceBond"],
  ["documentFee.amount", "tenders.details.fee"],
  ["documentFee", "tenders.details.sale"],
  ["cida", "tenders.details.cida"],
  ["eligibility.criteria", "tenders.details.criteria"],
  ["eligibility.documentRequired", "tenders.details.documentRequired"],
  ["eligibility.experience", "tenders.details.experience"],
  ["eligibility.turnover", "tenders.details.turnover"],
  ["organization.name", "tenders.details.organization"],
  ["organization.type", "tenders.details.organizationType"],
  ["organization.contactPerson", "tenders.details.contact"],
  ["location", "tenders.details.place"],
  ["referenceNo", "tenders.details.referenceNo"],
  ["category", "tenders.details.category"],
  ["subcategory", "tenders.details.category"],
  ["status", "tenders.details.status"],
  ["kind", "tenders.details.kind"],
  ["method", "tenders.details.method"],
  ["language", "tenders.details.language"],
  ["priority", "tenders.details.priority"],
  ["visibility", "tenders.history.visibility"],
  ["documents", "tenders.details.documents"],
  ["lots", "tenders.details.lots"],
  ["tags", "tenders.details.tags"],
  ["sourceUrl", "tenders.history.sourceUrl"],
];

/** The groups of messages that translate the values of a field, by the path of the field. */
const VALUE_LABEL_GROUPS: Record<string, Parameters<typeof enumLabel>[1]> = {
  status: "tenders.status",
  kind: "tenders.kind",
  priority: "tenders.priority",
  language: "tenders.language",
  "organization.type": "tenders.organizationType",
  "submission.methods": "tenders.head.delivery",
  category: "names.category",
  "location.province": "names.province",
  "location.district": "names.district",
};

const MOMENT_PATTERN = /^\d{4}-\d{2}-\d{2}T/;
const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;
const formatNumber = numberFormat({ maximumFractionDigits: 2 });

function fieldLabel(field: string, t: Translate): string {
  const found = FIELD_LABELS.find(([path]) => field === path || field.startsWith(`${path}.`));
  return found ? t(found[1]) : field;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH).trimEnd()}…` : line;
}

type Lot = NonNullable<Tender["lots"]>[number];

/** The number, the subject and the bid bond of a lot. */
function lotText({ number, title, bidBond }: Lot, t: Translate): string {
  const bond = bondText(bidBond, t);
  return `${number ? `${number}: ` : ""}${title}${bond ? ` (${bond})` : ""}`;
}

function valueText(value: unknown, field: string, t: Translate): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? t("tenders.details.required") : "";
  if (typeof value === "number") return formatNumber(value);
  if (typeof value === "string") {
    if (MOMENT_PATTERN.test(value)) return formatMoment(value);
    if (DAY_PATTERN.test(value)) return formatDay(value);
    const group = VALUE_LABEL_GROUPS[field];
    if (group) return enumLabel(t, group, value);
    return shorten(value);
  }
  if (Array.isArray(value)) return shorten(value.map((item) => valueText(item, field, t)).join(", "));
  const record = value as Record<string, unknown>;
  if (field === "financials.estimatedValue" && typeof record.amount === "number") {
    return formatMillions(record.amount, typeof record.currency === "string" ? record.currency : null);
  }
  if (field === "cida") return gradeText(value as Parameters<typeof gradeText>[0], t);
  if (field === "lots") return lotText(value as Lot, t);
  const named = record.name ?? record.title;
  if (typeof named === "string") return named;
  return shorten(
    Object.values(record)
      .map((part) => valueText(part, field, t))
      .filter(Boolean)
      .join(", "),
  );
}

/** The history, latest first. A change whose old and new texts are equal is left out. */
export function changeHistory(changes: readonly FieldChange[], t: Translate): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const { at, field, from, to, source } of changes) {
    const change = {
      field,
      label: fieldLabel(field, t),
      from: valueText(from, field, t),
      to: valueText(to, field, t),
    };
    if (change.from === change.to) continue;
    const by = source === PUBLISHER_SOURCE ? null : source;
    const last = entries.at(-1);
    if (last && last.at === at && last.source === by) last.changes.push(change);
    else entries.push({ at, source: by, changes: [change] });
  }
  return entries.reverse();
}
