// Says in the list that an alert has found nothing for a long time, and offers broader versions.

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { Button } from "@/ui/Button.tsx";
import { type AlertQuery, alertProposals } from "./api.ts";
import { Proposals } from "./Proposals.tsx";

interface SilentAlertProps {
  id: string;
  since: string;
  /** Whether the user came for this alert, so that the proposals show at once. */
  isRequested: boolean;
  onTake: (query: AlertQuery) => void;
}

export function SilentAlert({ id, since, isRequested, onTake }: SilentAlertProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(isRequested);
  const { data, error, isLoading } = useQuery({ ...alertProposals(id), enabled: isOpen });
  return (
    <div className="mt-2 mr-2 rounded-lg bg-soon-wash px-3 py-2.5 text-[0.9375rem] text-soon">
      <p className="flex items-start gap-2">
        <SearchX size={18} aria-hidden className="mt-0.5 shrink-0" />
        {t("alerts.silence.title", { moment: formatMoment(since) })}
      </p>
      {!isOpen && (
        <div className="mt-2">
          <Button variant="outlined" size="small" onClick={() => setOpen(true)}>
            {t("alerts.silence.show")}
          </Button>
        </div>
      )}
      {isLoading && (
        <div role="status" aria-label={t("alerts.silence.loading")} className="skeleton mt-2 h-20" />
      )}
      {error && <p className="mt-1 text-urgent">{messageOf(error, t("alerts.silence.failed"))}</p>}
      {data && data.proposals.length === 0 && (
        <p className="mt-1 text-sm">{t("alerts.silence.nothing", { days: data.days })}</p>
      )}
      {data && data.proposals.length > 0 && (
        <Proposals
          proposals={data.proposals}
          countText={(one) => t("alerts.silence.count", { count: one.matchCount, days: data.days })}
          onTake={onTake}
        />
      )}
    </div>
  );
}
