// The history of a tender: each change with the old and the new value.

import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay, formatMoment } from "@/shared/format/dates.ts";
import type { DetailedTender } from "@/shared/tender/tenderQueries.ts";
import { changeHistory, type HistoryEntry } from "./changeHistory.ts";
import { clipOfNotice, noticeSource } from "./noticeSource.ts";

/** The notice that made a change, with a link to its clip if the tender has it. */
function ChangedBy({ source, tender }: { source: string; tender: DetailedTender }) {
  const { t } = useTranslation();
  const notice = noticeSource(source);
  if (!notice) return t("tenders.history.bySource", { source });
  const { publication, day, page } = notice;
  const name = [publication, formatDay(day), page && t("tenders.details.page", { page })]
    .filter(Boolean)
    .join(", ");
  const text = t("tenders.history.bySource", { source: name });
  const clip = clipOfNotice(tender, notice);
  if (!clip) return text;
  return (
    <>
      {text} ·{" "}
      <a
        href={clip}
        target="_blank"
        rel="noopener"
        aria-label={`${t("tenders.details.clip")}: ${name}`}
        className="inline-block py-0.5 font-medium text-accent underline underline-offset-2 print:hidden"
      >
        {t("tenders.details.clip")}
      </a>
    </>
  );
}

function HistoryItem({ entry, tender }: { entry: HistoryEntry; tender: DetailedTender }) {
  const { t } = useTranslation();
  return (
    <li className="border-l-2 border-line pl-4">
      <p className="text-sm text-ink-soft">
        {formatMoment(entry.at)} ·{" "}
        {entry.source === null ? (
          t("tenders.history.byPublisher")
        ) : (
          <ChangedBy source={entry.source} tender={tender} />
        )}
      </p>
      <dl className="mt-1 grid gap-1.5 text-[0.9375rem]">
        {entry.changes.map(({ field, label, from, to }) => (
          <div key={field} className="sm:flex sm:gap-3">
            <dt className="shrink-0 font-medium sm:w-44">{label}</dt>
            <dd lang={tender.language ?? undefined} className="min-w-0 break-words">
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
        <HistoryItem key={`${entry.at} ${entry.source}`} entry={entry} tender={tender} />
      ))}
    </ol>
  );
}
