// The spread of past amounts as a strip: a line from the smallest to the largest amount, a box around the
// middle half, and a mark at the median. A table says the same in numbers.

import type { AmountSpread } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatAmount } from "@/shared/format/money.ts";

const [WIDTH, HEIGHT, EDGE] = [320, 28, 6];

/** Where an amount is on the strip. The scale is logarithmic, because amounts differ by factors. */
export function positionOf(amount: number, { min, max }: AmountSpread): number {
  const span = Math.log(max) - Math.log(min);
  const share = span > 0 ? (Math.log(amount) - Math.log(min)) / span : 0.5;
  return EDGE + share * (WIDTH - 2 * EDGE);
}

export function AmountStrip({ spread }: { spread: AmountSpread }) {
  const { t } = useTranslation();
  const { currency, count } = spread;
  const amount = (value: number) => formatAmount(value, currency);
  const at = (value: number) => positionOf(value, spread);
  const rows = [
    ["max", spread.max],
    ["upperQuartile", spread.upperQuartile],
    ["median", spread.median],
    ["lowerQuartile", spread.lowerQuartile],
    ["min", spread.min],
  ] as const;
  const middle = HEIGHT / 2;
  return (
    <div className="mt-3">
      <p className="text-[0.9375rem]">
        {t("awards.spread", {
          total: count,
          currency,
          from: amount(spread.lowerQuartile),
          to: amount(spread.upperQuartile),
          median: amount(spread.median),
        })}
      </p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        aria-hidden="true"
        className="mt-2 block w-full max-w-md text-accent"
      >
        <line
          x1={at(spread.min)}
          x2={at(spread.max)}
          y1={middle}
          y2={middle}
          stroke="currentColor"
          strokeWidth="2"
        />
        <rect
          x={at(spread.lowerQuartile)}
          width={Math.max(2, at(spread.upperQuartile) - at(spread.lowerQuartile))}
          y="6"
          height={HEIGHT - 12}
          rx="3"
          fill="currentColor"
          fillOpacity="0.25"
          stroke="currentColor"
        />
        <line
          x1={at(spread.median)}
          x2={at(spread.median)}
          y1="2"
          y2={HEIGHT - 2}
          stroke="currentColor"
          strokeWidth="3"
        />
      </svg>
      <details className="mt-1 text-[0.9375rem]">
        <summary className="inline-flex min-h-8 cursor-pointer items-center text-accent underline underline-offset-2">
          {t("awards.spreadTable")}
        </summary>
        <table className="mt-1">
          <caption className="sr-only">{t("awards.spreadCaption", { total: count, currency })}</caption>
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name}>
                <th scope="row" className="pr-4 text-left font-normal text-ink-soft">
                  {t(`awards.statistic.${name}`)}
                </th>
                <td className="text-right tabular-nums">{amount(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
