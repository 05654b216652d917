// A group of fields, each with a word of warning where the reading is unsure.

import { Eye } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Tender } from "@/api/types.ts";
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

export function Facts({ facts, tender }: { facts: readonly Fact[]; tender: Tender }) {
  if (facts.length === 0) return null;
  return (
    <dl className="grid content-start gap-3">
      {facts.map(({ label, value, path }) => (
        <div key={label} className="min-w-0">
          <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
          <dd className="text-[0.9375rem] font-medium break-words">
            {value}
            <Doubt path={path} tender={tender} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
