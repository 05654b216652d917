// The preview of a report: the number of tenders and the first rows.

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useDeferredValue, useId } from "react";
import { Link } from "react-router";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { fromSearchQuery, writeFilters } from "@/shared/tender/filters.ts";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { reportPreview } from "./api.ts";
import { AMOUNT_COLUMNS, type Column, type ReportQuery } from "./form.ts";

function cellStyle(column: Column): string {
  if (AMOUNT_COLUMNS.includes(column)) return "text-right tabular-nums whitespace-nowrap";
  if (column === "title") return "min-w-72";
  if (column === "organization" || column === "newspaper") return "min-w-48";
  return "whitespace-nowrap";
}

/** Adds thousands separators to an amount. Leaves the text of other columns unchanged. */
function cellText(column: Column, text: string): string {
  return AMOUNT_COLUMNS.includes(column) ? text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",") : text;
}

function Table({ columns, rows, label }: { columns: Column[]; rows: string[][]; label: string }) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a focused section
      tabIndex={0}
      className="max-h-[34rem] overflow-auto rounded-lg border border-line"
    >
      <table className="w-full border-collapse text-sm">
        <thead className="sticky top-0 bg-well text-left">
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={`px-3 py-2 font-semibold whitespace-nowrap ${AMOUNT_COLUMNS.includes(column) ? "text-right" : ""}`}
              >
                {t(`reports.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and two may be equal
            <tr key={nth} className="align-top">
              {columns.map((column, place) => (
                <td key={column} className={`px-3 py-2 ${cellStyle(column)}`}>
                  {column === "link" ? (
                    <a href={row[place]} className="text-accent underline">
                      {row[place]?.split("/").at(-1)?.slice(-8)}
                    </a>
                  ) : (
                    cellText(column, row[place] ?? "")
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function ReportPreview({ report }: { report: ReportQuery }) {
  const { t } = useTranslation();
  const id = useId();
  const shown = useDeferredValue(report);
  const { data, error, isPending, isPlaceholderData } = useQuery(reportPreview(shown));
  // While a new preview loads, the rows of the old one may have another number of columns.
  const rowsFitColumns = data?.rows.every((row) => row.length === shown.columns.length) ?? false;
  const address = data && writeFilters(fromSearchQuery(data.query)).toString();
  return (
    <section aria-labelledby={id} aria-busy={isPlaceholderData} className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="text-lg font-semibold">
          {t("reports.preview.title")}
        </h2>
        {address && data.total > 0 && (
          <Link
            to={`${paths.tenders}?${address}`}
            className="inline-flex min-h-8 items-center text-sm font-semibold text-accent hover:underline max-sm:min-h-11"
          >
            {t("reports.preview.open")}
          </Link>
        )}
      </div>
      {error && !isPlaceholderData && (
        <div className="mt-3">
          <ErrorBanner title={messageOf(error, t("reports.failed"))} />
        </div>
      )}
      {isPending && (
        <div role="status" aria-label={t("reports.preview.loading")} className="skeleton mt-3 h-40" />
      )}
      {data && !error && (
        <>
          <p role="status" className="mt-1 mb-3 text-[0.9375rem] text-ink-soft">
            <strong className="text-ink">{t("reports.preview.count", { count: data.total })}</strong>{" "}
            {t("reports.preview.days", { from: formatDay(data.from), until: formatDay(data.until) })}
            {data.total > data.rows.length && ` · ${t("reports.preview.first", { count: data.rows.length })}`}
          </p>
          {data.total > data.mostRows && (
            <p className="mb-3 rounded-lg bg-soon-wash px-4 py-3 text-[0.9375rem] text-soon">
              {t("reports.preview.cut", { most: data.mostRows.toLocaleString("en") })}
            </p>
          )}
          {data.rows.length === 0 && (
            <p className="flex items-center gap-3 rounded-lg border border-dashed border-edge/60 px-5 py-8 text-ink-soft">
              <SearchX size={20} aria-hidden className="shrink-0" />
              {t("reports.preview.none")}
            </p>
          )}
          {data.rows.length > 0 && rowsFitColumns && (
            <Table columns={shown.columns} rows={data.rows} label={t("reports.preview.rows")} />
          )}
        </>
      )}
    </section>
  );
}
