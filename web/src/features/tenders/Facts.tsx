// A group of fields, each with a word of warning where the reading is unsure.

import { Eye, ScanSearch } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/locales/i18n.ts";
import { placeOnClip } from "./evidence.ts";
import type { Marking } from "./marking.ts";
import type { Fact } from "./tenderFacts.tsx";

/** Below this confidence a field asks to be checked against the clip. */
const UNSURE_BELOW = 0.75;

function Doubt({ path, tender }: { path: string | undefined; tender: Tender }) {
  const { t } = useTranslation();
  const confidence = path === undefined ? undefined : tender.confidence?.[path];
  if (path === undefined || confidence === undefined || confidence >= UNSURE_BELOW) return null;
  const printed = tender.evidence?.[path]?.text;
  return (
    <p className="mt-1 text-[0.8125rem] text-soon">
      <span className="flex items-start gap-1.5 font-medium">
        <Eye size={14} aria-hidden className="mt-0.5 shrink-0" />
        {t("tenders.details.unsure", { percent: Math.round(confidence * 100) })}
      </span>
      {printed && (
        <span className="block pl-5" lang={tender.language ?? undefined}>
          {t("tenders.details.asPrinted", { text: printed })}
        </span>
      )}
    </p>
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
      <dd className="text-[0.9375rem] font-medium break-words">
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
