// One figure in detail: what it counts, its chart, the numbers as a table, and the download.

import { Download } from "lucide-react";
import { saveBlob } from "@/api/saveFile.ts";
import type { FigureSeries } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { FigureChart } from "./charts.tsx";
import { changeOf, csvOf, formatValue, pointsOf } from "./figures.ts";

/** "20 Nov" of "2026-11-20". */
function shortDay(day: string, t: Translate): string {
  const [, month, date] = day.split("-").map(Number);
  const name = t(`shell.date.month.${String(month) as "1"}`);
  return `${date} ${name}`;
}

function NumberTable({ series, from, name }: { series: FigureSeries; from: string; name: string }) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={t("operate.figures.numbers")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a focused section
      tabIndex={0}
      className="relative mt-5 max-h-56 overflow-auto rounded-lg border border-line"
    >
      <table className="w-full text-sm text-ink">
        <thead className="sticky top-0 bg-well">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-semibold">
              {t("operate.figures.day")}
            </th>
            <th scope="col" className="px-3 py-1.5 text-right font-semibold">
              {name}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {pointsOf(series, from)
            .toReversed()
            .map(({ day, value }) => (
              <tr key={day}>
                <th scope="row" className="px-3 py-1.5 text-left font-normal">
                  {formatDay(day)}
                </th>
                <td className="px-3 py-1.5 text-right tabular-nums">
                  {value === null ? t("operate.figures.unknownDay") : formatValue(value, series, t)}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

export function FigureDialog({
  series,
  from,
  to,
  onClose,
}: {
  series: FigureSeries;
  from: string;
  to: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const name = t(`operate.figures.name.${series.figure}`);
  const download = () => {
    const csv = new Blob([csvOf(series, from)], { type: "text/csv" });
    saveBlob(csv, `${series.figure}-${from}-${to}.csv`);
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={name}
      actions={
        <>
          <Button variant="outlined" onClick={download}>
            <Download size={18} aria-hidden /> {t("operate.figures.download")}
          </Button>
          <Button onClick={onClose}>{t("operate.figures.close")}</Button>
        </>
      }
    >
      <p>{t(`operate.figures.help.${series.figure}`)}</p>
      <p className="mt-3 mb-4 text-ink">
        <strong className="tabular-nums">
          {series.value === null ? t("operate.figures.none") : formatValue(series.value, series, t)}
        </strong>{" "}
        {t(series.total === "sum" ? "operate.figures.span.sum" : "operate.figures.span.last")}.{" "}
        {changeOf(series, t).text}.
      </p>
      <FigureChart
        points={pointsOf(series, from)}
        title={t("operate.figures.chart", { name })}
        formatValue={(value) => formatValue(value, series, t)}
        formatDay={(day) => shortDay(day, t)}
      />
      <NumberTable series={series} from={from} name={name} />
    </Dialog>
  );
}
