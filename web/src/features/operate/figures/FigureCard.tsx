// A figure with its value, its change in words and a sparkline. The whole card opens the figure.

import { ArrowDown, ArrowRight, ArrowUp, type LucideIcon } from "lucide-react";
import { Link } from "react-router";
import type { FigureSeries, QueueState } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Sparkline } from "./charts.tsx";
import { type Change, changeOf, formatValue, pointsOf, QUEUES } from "./figures.ts";

const icons: Partial<Record<Change["direction"], LucideIcon>> = {
  up: ArrowUp,
  down: ArrowDown,
  same: ArrowRight,
};

/** The number of items of a queue, with the link to the queue. */
function QueueLink({ series, queues }: { series: FigureSeries; queues: readonly QueueState[] }) {
  const { t } = useTranslation();
  const place = QUEUES[series.figure];
  const state = queues.find(({ queue }) => queue === place?.queue);
  if (!place || !state) return null;
  return (
    <Link
      to={place.path}
      className="relative z-10 mt-2 inline-flex min-h-11 items-center text-[0.9375rem] text-accent underline"
    >
      {t("operate.figures.waiting", { count: state.waiting })}
      <span className="sr-only">: {t(`operate.figures.name.${series.figure}`)}</span>
    </Link>
  );
}

export function FigureCard({
  series,
  from,
  isToday,
  queues,
  onOpen,
}: {
  series: FigureSeries;
  /** The first day of the series. */
  from: string;
  /** Whether the last day is today. */
  isToday: boolean;
  queues: readonly QueueState[];
  onOpen: () => void;
}) {
  const { t } = useTranslation();
  const { value, total, beforeDays } = series;
  const change = changeOf(series, t);
  const Icon = icons[change.direction];
  const isAge = beforeDays === null;
  const span = total === "sum" ? "sum" : !isToday ? "last" : isAge ? "today" : "now";
  return (
    <li className="relative flex flex-col rounded-xl border border-line bg-sheet p-4 hover:border-accent has-[button:focus-visible]:outline-2 has-[button:focus-visible]:outline-accent">
      <h3 className="font-semibold">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={onOpen}
          className="text-left after:absolute after:inset-0 after:rounded-xl focus-visible:outline-none"
        >
          {t(`operate.figures.name.${series.figure}`)}
        </button>
      </h3>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span className="text-2xl font-bold tracking-tight tabular-nums">
          {value === null ? t("operate.figures.none") : formatValue(value, series, t)}
        </span>
        {value !== null && <span className="text-sm text-ink-soft">{t(`operate.figures.span.${span}`)}</span>}
      </p>
      <p className="mt-1 mb-3 flex items-start gap-1.5 text-sm text-ink-soft">
        {Icon && <Icon size={16} aria-hidden className="mt-0.5 shrink-0" />}
        {change.text}
      </p>
      <div className="mt-auto">
        <Sparkline points={pointsOf(series, from)} />
        {isToday && <QueueLink series={series} queues={queues} />}
      </div>
    </li>
  );
}
