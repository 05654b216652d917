// A group of fields, each with a warning where it was read in doubt or not at all.

import { Eye, ScanSearch } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { placeOnClip } from "../clip/fieldPosition.ts";
import { PrintedWords } from "../clip/PrintedWords.tsx";
import type { Marking } from "../clip/useHighlights.ts";
import { CLOSING, fieldState } from "../summary/fieldStates.ts";
import type { Fact } from "./tenderFields.tsx";

/** What else readers made of a closing that is doubtful. */
function alsoRead(tender: Tender, path: string): string[] {
  if (path !== CLOSING) return [];
  const values = tender.otherReadings?.[path]?.map(({ value }) => value) ?? [];
  return values.filter((value) => typeof value === "string").map((value) => formatMoment(value));
}

/** Says that a field was read in doubt or not at all, with the printed words. */
function Doubt({ path, tender }: { path: string | undefined; tender: Tender }) {
  const { t } = useTranslation();
  if (path === undefined || fieldState(tender, path) === "certain") return null;
  const others = alsoRead(tender, path);
  return (
    <div className="mt-1 text-[0.8125rem] font-normal text-soon">
      <p className="flex items-start gap-1.5 font-medium">
        <Eye size={14} aria-hidden className="mt-0.5 shrink-0" />
        {t("tenders.doubt.check")}
      </p>
      {others.length > 0 && <p>{t("tenders.doubt.alsoRead", { values: others.join("; ") })}</p>}
      <PrintedWords tender={tender} path={path} />
    </div>
  );
}

/** Marks the field's place on the clip, and keeps it marked. */
function ShowOnClip({ label, path, marking }: { label: string; path: string; marking: Marking }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t("tenders.details.showOnClip", { field: label })}
      aria-pressed={marking.kept === path}
      onFocus={() => marking.point(path)}
      onBlur={() => marking.point(null)}
      onClick={() => marking.toggle(path)}
      className="ml-1 inline-grid size-6 place-items-center rounded align-middle text-ink-soft opacity-60 group-hover/field:opacity-100 hover:text-accent focus-visible:opacity-100 aria-pressed:bg-accent-wash aria-pressed:text-accent aria-pressed:opacity-100 max-sm:size-9 print:hidden"
    >
      <ScanSearch size={15} aria-hidden />
    </button>
  );
}

/** A field; where its place on the clip is known, pointing at it marks that place. */
function Field({ fact: { label, value, path }, tender, marking }: FieldProps) {
  const known = path !== undefined && placeOnClip(tender, path) !== null;
  const point = known ? () => marking.point(path) : undefined;
  const leave = known ? () => marking.point(null) : undefined;
  return (
    <div className="group/field min-w-0" onPointerEnter={point} onPointerLeave={leave}>
      <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
      <dd className="text-[0.9375rem] font-medium wrap-anywhere">
        {value}
        {known && <ShowOnClip label={label} path={path} marking={marking} />}
        <Doubt path={path} tender={tender} />
      </dd>
    </div>
  );
}

interface FieldProps {
  fact: Fact;
  tender: Tender;
  marking: Marking;
}

export function Facts({
  facts,
  tender,
  marking,
}: {
  facts: readonly Fact[];
  tender: Tender;
  marking: Marking;
}) {
  if (facts.length === 0) return null;
  return (
    <dl className="grid content-start gap-3">
      {facts.map((fact) => (
        <Field key={fact.label} fact={fact} tender={tender} marking={marking} />
      ))}
    </dl>
  );
}
