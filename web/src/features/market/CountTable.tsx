// A table of counts. Each row has a bar that stands for its count; screen readers skip the bars.

import { type ReactNode, useId } from "react";
import { useTranslation } from "@/i18n/i18n.ts";

export interface CountRow {
  key: string;
  label: ReactNode;
  count: number;
  /** The number of open tenders. */
  open?: number;
}

export function CountTable({
  caption,
  head,
  rows,
  help,
}: {
  caption: string;
  /** The head of the first column. */
  head: string;
  rows: readonly CountRow[];
  help?: ReactNode;
}) {
  const { t } = useTranslation();
  const id = useId();
  const most = Math.max(1, ...rows.map(({ count }) => count));
  const hasOpen = rows.some(({ open }) => open !== undefined);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-xl border border-line bg-sheet p-4 sm:p-5">
      <h2 id={id} className="text-lg font-semibold">
        {caption}
      </h2>
      {help && <p className="text-sm text-ink-soft">{help}</p>}
      <table aria-labelledby={id} className="mt-3 w-full text-[0.9375rem]">
        <thead className="text-left text-sm text-ink-soft">
          <tr>
            <th scope="col" className="pb-1 pr-3 font-medium wrap-anywhere">
              {head}
            </th>
            <td aria-hidden className="w-1/3 max-sm:w-1/5" />
            <th scope="col" className="pb-1 pl-3 text-right font-medium wrap-anywhere">
              {t("market.count")}
            </th>
            {hasOpen && (
              <th scope="col" className="pb-1 pl-3 text-right font-medium wrap-anywhere">
                {t("market.openCount")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, count, open }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal wrap-anywhere">
                {label}
              </th>
              <td aria-hidden>
                <div
                  className="h-2.5 rounded-full bg-accent"
                  style={{ width: `${count === 0 ? 0 : Math.max(1.5, (count / most) * 100)}%` }}
                />
              </td>
              <td className="py-1.5 pl-3 text-right font-medium tabular-nums">{count}</td>
              {hasOpen && <td className="py-1.5 pl-3 text-right tabular-nums">{open}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
