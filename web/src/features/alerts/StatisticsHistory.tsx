// The history of all the user's alerts: matches per day and mails per week.

import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import type { AlertStats, OutcomeDays } from "./api.ts";
import { ChartTable, ColumnChart, type Point } from "./Charts.tsx";
import { StatisticsPanel } from "./StatisticsPanel.tsx";

const WEEK_DAYS = 7;

type History = AlertStats["history"];

interface HistoryPanelProps {
  title: string;
  /** The time that the columns span. The server keeps less than the longest period. */
  span: string;
  points: readonly Point[];
  /** The headings of the table. */
  head: readonly [string, string];
  emptyText: string;
}

/** A column for each point. The numbers are a press away. */
function HistoryPanel({ title, span, points, head, emptyText }: HistoryPanelProps) {
  const { t } = useTranslation();
  const counted = points.filter(({ value }) => value > 0);
  const name = t("alerts.statistics.table", { title });
  return (
    <StatisticsPanel title={title} aside={<span className="text-sm text-ink-soft">{span}</span>}>
      {counted.length === 0 ? (
        <p className="text-[0.9375rem] text-ink-soft">{emptyText}</p>
      ) : (
        <>
          <ColumnChart points={points} />
          <details className="mt-1 text-sm">
            <summary className="w-fit py-1.5 font-semibold text-accent hover:underline max-md:py-3">
              {name}
            </summary>
            <ChartTable label={name} head={head} points={counted} />
          </details>
        </>
      )}
    </StatisticsPanel>
  );
}

/** Both histories, over the period as far as the server keeps them. */
export function AlertHistory({ history, days }: { history: History; days: OutcomeDays }) {
  const { t } = useTranslation();
  const matches = history.days
    .slice(-days)
    .map(({ day, matches }) => ({ key: day, label: formatDay(day), value: matches }));
  const mails = history.weeks
    .slice(-Math.ceil(days / WEEK_DAYS))
    .map(({ from, mails }) => ({ key: from, label: formatDay(from), value: mails }));
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <HistoryPanel
        title={t("alerts.statistics.days")}
        span={t("alerts.statistics.lastDays", { days: matches.length })}
        points={matches}
        head={[t("alerts.statistics.day"), t("alerts.statistics.count")]}
        emptyText={t("alerts.statistics.noMatches")}
      />
      <HistoryPanel
        title={t("alerts.statistics.weeks")}
        span={t("alerts.statistics.lastWeeks", { weeks: mails.length })}
        points={mails}
        head={[t("alerts.statistics.week"), t("alerts.statistics.emails")]}
        emptyText={t("alerts.statistics.noMails")}
      />
    </div>
  );
}
