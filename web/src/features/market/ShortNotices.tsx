// The share of tenders with a shorter period than the procurement guidelines name, and how it is counted.

import { useId } from "react";
import type { Market } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Key } from "@/i18n/translate.ts";

/** With fewer tenders, a share says too little. */
const MIN_SAMPLE = 5;
const INTERNATIONAL_DAYS = 42;

type ShortNoticeRow = Market["shortNotices"][number];

function methodKey({ requiredDays, isMethodStated }: ShortNoticeRow): Key {
  if (!isMethodStated) return "market.short.assumed";
  return requiredDays === INTERNATIONAL_DAYS ? "market.short.international" : "market.short.national";
}

/** The share of short notices. If the method is assumed, the assumption stands beside it. */
function Share({ row: { count, short, isMethodStated, requiredDays } }: { row: ShortNoticeRow }) {
  const { t } = useTranslation();
  if (count < MIN_SAMPLE) return t("market.short.tooFew");
  return (
    <>
      {Math.round((short / count) * 100)} %
      {!isMethodStated && (
        <span className="block text-sm">{t("market.short.ifDays", { count: requiredDays })}</span>
      )}
    </>
  );
}

/** Whether there are enough tenders of a method for a share. */
export function showsShare(rows: readonly ShortNoticeRow[]): boolean {
  return rows.some(({ count }) => count >= MIN_SAMPLE);
}

export function ShortNotices({ rows }: { rows: readonly ShortNoticeRow[] }) {
  const { t } = useTranslation();
  const id = useId();
  // A share that rests on an assumption comes after those that don't.
  const byMethod = rows.toSorted((one, other) => Number(other.isMethodStated) - Number(one.isMethodStated));
  const heads = ["method", "judged", "under", "share"] as const;
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-xl border border-line bg-sheet p-4 sm:p-5">
      <h2 id={id} className="text-lg font-semibold">
        {t("market.short.title")}
      </h2>
      <p className="text-sm text-ink-soft">{t("market.short.caption")}</p>
      {rows.length === 0 ? (
        <p className="mt-3">{t("market.short.none")}</p>
      ) : (
        <table aria-labelledby={id} className="mt-3 w-full text-[0.9375rem]">
          <thead className="text-sm text-ink-soft">
            <tr>
              {heads.map((head) => (
                <th
                  key={head}
                  scope="col"
                  className={`pb-1 font-medium max-sm:text-xs max-[360px]:wrap-anywhere ${head === "method" ? "pr-3 text-left" : "pl-3 text-right max-sm:pl-2"}`}
                >
                  {t(`market.short.${head}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {byMethod.map((row) => (
              <tr key={`${row.requiredDays} ${row.isMethodStated}`} className="border-t border-line">
                <th scope="row" className="py-2 pr-3 text-left font-normal wrap-anywhere">
                  {t(methodKey(row))}
                </th>
                <td className="py-2 pl-3 text-right tabular-nums">{row.count}</td>
                <td className="py-2 pl-3 text-right tabular-nums">{row.short}</td>
                <td
                  className={`py-2 pl-3 text-right tabular-nums ${row.isMethodStated ? "font-medium" : "text-ink-soft"}`}
                >
                  <Share row={row} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <details className="mt-3 text-[0.9375rem]">
        <summary className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline">
          {t("market.short.how")}
        </summary>
        <p className="max-w-[75ch] text-ink-soft">{t("market.short.rule")}</p>
        <p className="mt-1 max-w-[75ch] text-ink-soft">{t("market.short.caveat")}</p>
      </details>
    </section>
  );
}
