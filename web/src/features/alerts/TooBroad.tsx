// Says that an alert would send too many tenders, with narrower versions of it.

import { TriangleAlert } from "lucide-react";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import type { AlertPreview, AlertQuery } from "./api.ts";
import { Proposals } from "./Proposals.tsx";

interface TooBroadProps {
  breadth: AlertPreview["breadth"];
  onTake?: (query: AlertQuery) => void;
}

export function TooBroad({ breadth, onTake }: TooBroadProps) {
  const { t } = useTranslation();
  const { from, until, days, matchesAWeek, proposals } = breadth;
  return (
    <div className="mt-3 rounded-lg bg-soon-wash px-3 py-2.5 text-[0.9375rem] text-soon">
      <p className="flex items-start gap-2 font-semibold">
        <TriangleAlert size={18} aria-hidden className="mt-0.5 shrink-0" />
        {t("alerts.breadth.title", { count: Math.round(matchesAWeek) })}
      </p>
      <p className="mt-1 text-sm">
        {t("alerts.breadth.counted", { days, from: formatDay(from), until: formatDay(until) })}
      </p>
      {onTake && proposals.length > 0 && (
        <>
          <p className="mt-2 text-sm">{t("alerts.breadth.narrower")}</p>
          <Proposals
            proposals={proposals}
            countText={(one) => t("alerts.breadth.aWeek", { count: Math.round(one.matchesAWeek) })}
            onTake={onTake}
          />
        </>
      )}
    </div>
  );
}
