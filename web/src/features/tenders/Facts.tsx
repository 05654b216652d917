// A group of fields, each with a word of warning where the reading is unsure.

import { Eye, ScanSearch } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/locales/i18n.ts";
import { placeOnClip } from "./evidence.ts";
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

/** Marks a field on the clip (`null`: none), and brings the clip into view where one asked for it. */
export type Point = (path: string | null, isAsked?: boolean) => void;

/** A field; where its place on the clip is known, pointing at it or focusing its button marks that place. */
function Field({
  fact: { label, value, path },
  tender,
  onPoint,
}: {
  fact: Fact;
  tender: Tender;
  onPoint: Point;
}) {
  const { t } = useTranslation();
  const known = path !== undefined && placeOnClip(tender, path) !== null;
  const point = known ? () => onPoint(path) : undefined;
  const leave = known ? () => onPoint(null) : undefined;
  return (
    <div className="group/field min-w-0" onPointerEnter={point} onPointerLeave={leave}>
      <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
      <dd className="text-[0.9375rem] font-medium break-words">
        {value}
        {known && (
          <button
            type="button"
            aria-label={t("tenders.details.showOnClip", { field: label })}
            onFocus={point}
            onBlur={leave}
            onClick={() => onPoint(path, true)}
            className="ml-1 inline-grid size-6 place-items-center rounded align-middle text-ink-soft opacity-60 group-hover/field:opacity-100 hover:text-accent focus-visible:opacity-100 print:hidden"
          >
            <ScanSearch size={15} aria-hidden />
          </button>
        )}
        <Doubt path={path} tender={tender} />
      </dd>
    </div>
  );
}

export function Facts({
  facts,
  tender,
  onPoint,
}: {
  facts: readonly Fact[];
  tender: Tender;
  onPoint: Point;
}) {
  if (facts.length === 0) return null;
  return (
    <dl className="grid content-start gap-3">
      {facts.map((fact) => (
        <Field key={fact.label} fact={fact} tender={tender} onPoint={onPoint} />
      ))}
    </dl>
  );
}
