// The charts of the figures. This is the only module that imports Recharts. The charts do not move,
// and take their colours from the theme. Gaps are days without a known value.

import { Area, AreaChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";

export interface Point {
  day: string;
  value: number | null;
}

const areaStyle = {
  type: "linear",
  dataKey: "value",
  stroke: "var(--color-accent)",
  fill: "var(--color-accent-wash)",
  isAnimationActive: false,
} as const;

/** A small line without axes. Screen readers skip it, because the card says its value in words. */
export function Sparkline({ points }: { points: Point[] }) {
  return (
    <div aria-hidden className="pointer-events-none h-12">
      <AreaChart
        responsive
        accessibilityLayer={false}
        data={points}
        margin={{ top: 2, right: 0, bottom: 1, left: 0 }}
        className="size-full"
      >
        <YAxis hide domain={[(least: number) => Math.min(0, least), (most: number) => Math.max(1, most)]} />
        <Area {...areaStyle} fillOpacity={1} strokeWidth={1.5} dot={false} activeDot={false} />
      </AreaChart>
    </div>
  );
}

/**
 * The chart of a figure with axes. The pointer and the arrow keys show the value of a day. A table
 * beside the chart must show the same values.
 */
export function FigureChart({
  points,
  title,
  formatValue,
  formatDay,
}: {
  points: Point[];
  /** The name of the chart for screen readers. */
  title: string;
  formatValue: (value: number) => string;
  formatDay: (day: string) => string;
}) {
  const tick = { fill: "var(--color-ink-soft)", fontSize: 12 };
  return (
    <div className="h-64">
      <AreaChart
        responsive
        data={points}
        title={title}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        className="size-full"
      >
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="day"
          tickFormatter={formatDay}
          tick={tick}
          stroke="var(--color-edge)"
          minTickGap={48}
          interval="equidistantPreserveStart"
        />
        <YAxis
          width="auto"
          tick={tick}
          stroke="var(--color-edge)"
          tickFormatter={formatValue}
          domain={[(least: number) => Math.min(0, least), (most: number) => Math.max(1, most)]}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--color-edge)" }}
          content={({ active, payload }) => {
            const point = payload?.[0]?.payload as Point | undefined;
            if (!active || !point || point.value === null) return null;
            return (
              <p className="rounded-lg border border-line bg-sheet px-3 py-2 text-sm text-ink shadow-sheet">
                {formatDay(point.day)}
                <strong className="ml-2 tabular-nums">{formatValue(point.value)}</strong>
              </p>
            );
          }}
        />
        <Area {...areaStyle} fillOpacity={1} strokeWidth={2} dot={false} />
      </AreaChart>
    </div>
  );
}
