// For operators: the changes of a tender, and the matches and messages that resulted from them.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { TracedDelivery } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel } from "@/i18n/translate.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { deliveryTrace } from "../api.ts";

function deliveryTone({ state, returned }: TracedDelivery): "calm" | "soon" | "urgent" {
  if (state === "dead" || returned) return "urgent";
  return state === "sent" ? "calm" : "soon";
}

function DeliveryItem({ delivery }: { delivery: TracedDelivery }) {
  const { t } = useTranslation();
  const at = delivery.sentAt ?? delivery.nextAt;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Badge tone={deliveryTone(delivery)}>
        {enumLabel(t, "tenders.trace.state", delivery.returned ?? delivery.state)}
      </Badge>
      <span>{t(delivery.reason === "new" ? "tenders.trace.reason.new" : "tenders.trace.reason.change")}</span>
      <span className="break-all">{delivery.address}</span>
      {at && <span className="text-ink-soft">{formatMoment(at)}</span>}
      {delivery.error && <span className="w-full break-words text-ink-soft">{delivery.error}</span>}
    </li>
  );
}

function TraceReport({ id }: { id: string }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data, error } = useQuery(deliveryTrace(id, page));
  if (error) return <ErrorBanner title={t("tenders.trace.error")} />;
  if (!data) return <LoadingScreen label={t("tenders.trace.loading")} />;
  const { changes, told, pagination } = data;
  return (
    <div className="grid gap-5">
      <ol className="grid gap-1 text-[0.9375rem]">
        {changes.map(({ revision, at, status, matches, isMatched }) => (
          <li key={revision}>
            {t("tenders.trace.change", {
              revision,
              at: formatMoment(at),
              status: enumLabel(t, "tenders.status", status),
            })}{" "}
            · {isMatched ? t("tenders.trace.matches", { count: matches }) : t("tenders.trace.waiting")}
          </li>
        ))}
      </ol>
      <ul className="divide-y divide-line">
        {told.map(({ alert, user, isIrrelevant, deliveries }) => (
          <li key={alert?._id ?? user} className="grid gap-1.5 py-3">
            <p className="text-[0.9375rem]">
              <span className="font-semibold">{user}</span> · {alert?.name ?? t("tenders.trace.saved")}
              {isIrrelevant && ` · ${t("tenders.trace.irrelevant")}`}
            </p>
            <ul className="grid gap-1">
              {deliveries.map((delivery) => (
                <DeliveryItem key={`${delivery._id} ${delivery.reason}`} delivery={delivery} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {(pagination.hasPrev || pagination.hasNext) && (
        <div className="flex gap-3">
          <Button
            variant="outlined"
            size="small"
            disabled={!pagination.hasPrev}
            onClick={() => setPage(page - 1)}
          >
            {t("tenders.trace.back")}
          </Button>
          <Button
            variant="outlined"
            size="small"
            disabled={!pagination.hasNext}
            onClick={() => setPage(page + 1)}
          >
            {t("tenders.trace.on")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The fragment of the address that opens the trace. */
const TRACE_ANCHOR = "#trace";

export function DeliveryTrace({ id }: { id: string }) {
  const { t } = useTranslation();
  const { hash, key } = useLocation();
  const frame = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  // The administrator's menu leads here. The key changes with each choice in the menu.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key tells that it was chosen again
  useEffect(() => {
    if (hash !== TRACE_ANCHOR) return;
    setOpen(true);
    frame.current?.scrollIntoView({ block: "start" });
  }, [hash, key]);
  return (
    <div ref={frame} className="grid scroll-mt-[calc(var(--header)+1rem)] gap-4">
      <Button
        variant="outlined"
        size="small"
        className="justify-self-start"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {t("tenders.trace.heading")}
      </Button>
      {open && <TraceReport id={id} />}
    </div>
  );
}
