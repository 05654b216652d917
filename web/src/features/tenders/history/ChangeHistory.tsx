// The history of a tender: each change with the old and the new value.

import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import type { DetailedTender } from "@/shared/tender/tenderQueries.ts";
import { changeHistory, type HistoryEntry } from "./changeHistory.ts";

function HistoryItem({ entry, language }: { entry: HistoryEntry; language: string | undefined }) {
  const { t } = useTranslation();
  return (
    <li className="border-l-2 border-line pl-4">
      <p className="text-sm text-ink-soft">
        {formatMoment(entry.at)} ·{" "}
        {entry.source === null
          ? t("tenders.history.byPublisher")
          : t("tenders.history.bySource", { source: entry.source })}
      </p>
      <dl className="mt-1 grid gap-1.5 text-[0.9375rem]">
        {entry.changes.map(({ field, label, from, to }) => (
          <div key={field} className="sm:flex sm:gap-3">
            <dt className="shrink-0 font-medium sm:w-44">{label}</dt>
            <dd lang={language} className="min-w-0 break-words">
              {from && (
                <del className="text-ink-soft">
                  <span className="sr-only">{t("tenders.history.before")}: </span>
                  {from}
                </del>
              )}
              {from && to && <span aria-hidden> → </span>}
              {to ? (
                <ins className="font-medium no-underline">
                  <span className="sr-only">{t("tenders.history.now")}: </span>
                  {to}
                </ins>
              ) : (
                <span className="text-ink-soft"> {t("tenders.history.removed")}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

export function ChangeHistory({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  return (
    <ol className="grid gap-4">
      {changeHistory(tender.changes ?? [], t).map((entry) => (
        <HistoryItem
          key={`${entry.at} ${entry.source}`}
          entry={entry}
          language={tender.language ?? undefined}
        />
      ))}
    </ol>
  );
}
