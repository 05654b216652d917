// A small SVG chart with columns over days or weeks. Screen readers skip it, so it needs a table with
// its numbers.

import type { ReactNode } from "react";

/** One labelled value of a chart or table. */
export interface Point {
  /** The React key of the point. */
  key: string;
  /** The point's label in the table. The first and last label also stand below the axis. */
  label: string;
  value: number;
}

/** The size of the drawing in SVG units. */
const HEIGHT = 100;
const WIDTH = 300;

/**
 * The top of the axis: a round number that no value exceeds. It is even, so that the label in the
 * middle of the axis is an integer.
 */
function axisMaximum(values: readonly number[]): number {
  const most = Math.max(0, ...values);
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 4, 6, 8, 10].find((step) => step * power >= most && (step * power) % 2 === 0);
  return (step ?? 10) * power;
}

/** The frame of a chart, with the labels of its axes. `children` draws the values. */
function ChartFrame({
  points,
  children,
}: {
  points: readonly Point[];
  children: (ceiling: number) => ReactNode;
}) {
  const ceiling = axisMaximum(points.map(({ value }) => value));
  return (
    <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-ink-soft">
      <div className="flex h-24 sm:h-32 flex-col justify-between text-right leading-none">
        <span>{ceiling}</span>
        <span>{ceiling / 2}</span>
        <span>0</span>
      </div>
      <div className="relative h-24 sm:h-32">
        <div className="absolute inset-x-0 top-0 border-t border-dashed border-line" />
        <div className="absolute inset-x-0 top-1/2 border-t border-dashed border-line" />
        <div className="absolute inset-x-0 bottom-0 border-t border-edge" />
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
        >
          <title>{points.at(-1)?.label}</title>
          {children(ceiling)}
        </svg>
      </div>
      <span />
      <div className="mt-1.5 flex justify-between gap-2">
        <span>{points[0]?.label}</span>
        <span className="text-right">{points.at(-1)?.label}</span>
      </div>
    </div>
  );
}

/** Values of days or weeks, drawn as columns. The last one is not over, so its column is lighter. */
export function ColumnChart({ points }: { points: readonly Point[] }) {
  return (
    <ChartFrame points={points}>
      {(ceiling) => {
        const step = WIDTH / Math.max(1, points.length);
        return points.map(({ key, value }, nth) => {
          const height = (HEIGHT * value) / ceiling;
          return (
            <rect
              key={key}
              x={nth * step + step * 0.15}
              y={HEIGHT - height}
              width={step * 0.7}
              height={height}
              vectorEffect="non-scaling-stroke"
              className={
                nth === points.length - 1 ? "fill-accent-wash stroke-accent stroke-1" : "fill-accent"
              }
            />
          );
        });
      }}
    </ChartFrame>
  );
}

/** The numbers of a chart, newest first. A long table scrolls. */
export function ChartTable({
  label,
  head,
  points,
}: {
  label: string;
  /** The headings of the two columns. */
  head: readonly [string, string];
  points: readonly Point[];
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a focused section
      tabIndex={0}
      className="relative max-h-48 overflow-auto rounded-lg border border-line"
    >
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-well">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-semibold">
              {head[0]}
            </th>
            <th scope="col" className="px-3 py-1.5 text-right font-semibold">
              {head[1]}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {points.toReversed().map(({ key, label, value }) => (
            <tr key={key}>
              <th scope="row" className="px-3 py-1.5 text-left font-normal">
                {label}
              </th>
              <td className="px-3 py-1.5 text-right tabular-nums">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
