// A group of fields. A field that is uncertain or was not read has a warning.

import { Eye, ScanSearch } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { fieldPosition } from "@/shared/clip/fieldPosition.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { CLOSING_PATH, uncertainPaths } from "@/shared/tender/fieldStates.ts";
import { PrintedWords } from "../clip/PrintedWords.tsx";
import type { Highlights } from "../clip/useHighlights.ts";
import { doubtPathsOf, type TenderField } from "./tenderFields.tsx";

/** The other readings of an uncertain closing time, without repetitions; none for other fields. */
function otherReadings(tender: Tender, path: string): string[] {
  if (path !== CLOSING_PATH) return [];
  const values = tender.otherReadings?.[path]?.map(({ value }) => value) ?? [];
  const shown = new Set(
    values.filter((value) => typeof value === "string").map((value) => formatMoment(value)),
  );
  const closing = tender.dates?.closing;
  if (closing) shown.delete(formatMoment(closing));
  return [...shown];
}

/** The paths among these that have printed words, each words once. */
function printedPaths(tender: Tender, paths: readonly string[]): string[] {
  const words = paths.map((path) => tender.evidence?.[path]?.text);
  return paths.filter((_, index) => words[index] && words.indexOf(words[index]) === index);
}

/** Says that a field is uncertain or was not read, and shows the printed words. */
function UncertainNote({ field, tender }: { field: TenderField; tender: Tender }) {
  const { t } = useTranslation();
  const doubtful = uncertainPaths(tender, doubtPathsOf(field));
  if (doubtful.length === 0) return null;
  const others = doubtful.flatMap((path) => otherReadings(tender, path));
  return (
    <div className="mt-1 text-[0.8125rem] font-normal text-soon">
      <p className="flex items-start gap-1.5 font-medium">
        <Eye size={14} aria-hidden className="mt-0.5 shrink-0" />
        {t("tenders.doubt.check")}
      </p>
      {others.length > 0 && <p>{t("tenders.doubt.alsoRead", { values: others.join("; ") })}</p>}
      {printedPaths(tender, doubtful).map((path) => (
        <PrintedWords key={path} tender={tender} path={path} />
      ))}
    </div>
  );
}

/** The button that pins or unpins the field's highlight on the clip. */
export function ShowOnClip({
  label,
  path,
  highlights,
}: {
  label: string;
  path: string;
  highlights: Highlights;
}) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t("tenders.details.showOnClip", { field: label })}
      aria-pressed={highlights.pinned === path}
      onFocus={() => highlights.hover(path)}
      onBlur={() => highlights.hover(null)}
      onClick={() => highlights.toggle(path)}
      className="ml-1 inline-grid size-6 place-items-center rounded align-middle text-ink-soft opacity-60 group-hover/field:opacity-100 hover:text-accent focus-visible:opacity-100 aria-pressed:bg-accent-wash aria-pressed:text-accent aria-pressed:opacity-100 max-sm:size-9 print:hidden"
    >
      <ScanSearch size={15} aria-hidden />
    </button>
  );
}

/** A field. While the pointer is over the field, its position on the clip is highlighted. */
function FieldEntry({ field, tender, highlights }: FieldEntryProps) {
  const { label, hint, value, path } = field;
  const isOnClip = path !== undefined && fieldPosition(tender, path) !== null;
  const point = isOnClip ? () => highlights.hover(path) : undefined;
  const leave = isOnClip ? () => highlights.hover(null) : undefined;
  return (
    <div
      className="group/field mb-3 min-w-0 break-inside-avoid"
      onPointerEnter={point}
      onPointerLeave={leave}
    >
      <dt className="text-[0.8125rem] text-ink-soft">{hint ? <abbr title={hint}>{label}</abbr> : label}</dt>
      <dd className="text-[0.9375rem] font-medium wrap-anywhere">
        {value}
        {isOnClip && <ShowOnClip label={label} path={path} highlights={highlights} />}
        <UncertainNote field={field} tender={tender} />
      </dd>
    </div>
  );
}

interface FieldEntryProps {
  field: TenderField;
  tender: Tender;
  highlights: Highlights;
}

export function FieldList({
  fields,
  tender,
  highlights,
}: {
  fields: readonly TenderField[];
  tender: Tender;
  highlights: Highlights;
}) {
  if (fields.length === 0) return null;
  return (
    <dl>
      {fields.map((field) => (
        <FieldEntry key={field.label} field={field} tender={tender} highlights={highlights} />
      ))}
    </dl>
  );
}
