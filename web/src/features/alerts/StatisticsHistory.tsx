// The history of all the user's alerts: matches per day, mails per week, and how the matches are
// shared among the alerts.

import { useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import type { AlertStats } from "./api.ts";
import { ChartTable, ColumnChart, LineChart, type Point } from "./Charts.tsx";
import { BarTable, StatisticsPanel } from "./StatisticsPanel.tsx";

const PERIOD_DAYS = [30, 90] as const;

type History = AlertStats["history"];

const sumValues = (points: readonly Point[]) => points.reduce((total, { value }) => total + value, 0);

function MatchesPerDay({ days }: { days: History["days"] }) {
  const { t } = useTranslation();
  const [period, setPeriod] = useState<(typeof PERIOD_DAYS)[number]>(30);
  const points = days
    .slice(-period)
    .map(({ day, matches }) => ({ key: day, label: formatDay(day), value: matches }));
  return (
    <StatisticsPanel
      title={t("alerts.statistics.days")}
      aside={
        <fieldset className="flex gap-1 rounded-lg bg-well p-1">
          <legend className="sr-only">{t("alerts.statistics.period")}</legend>
          {PERIOD_DAYS.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === period}
              onClick={() => setPeriod(one)}
              className="min-h-9 rounded-md px-3 text-sm text-ink-soft hover:text-ink aria-pressed:bg-sheet aria-pressed:font-semibold aria-pressed:text-accent max-md:min-h-11"
            >
              {t("alerts.statistics.lastDays", { days: one })}
            </button>
          ))}
        </fieldset>
      }
    >
      <p className="mb-3 text-[0.9375rem] text-ink-soft">
        {t("alerts.card.matches", { count: sumValues(points) })}
      </p>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <LineChart points={points} />
        <ChartTable
          label={t("alerts.statistics.table", { title: t("alerts.statistics.days") })}
          head={[t("alerts.statistics.day"), t("alerts.statistics.count")]}
          points={points.filter(({ value }) => value > 0)}
          emptyText={t("alerts.statistics.noMatches")}
        />
      </div>
    </StatisticsPanel>
  );
}

function MailsPerWeek({ weeks }: { weeks: History["weeks"] }) {
  const { t } = useTranslation();
  const points = weeks.map(({ from, mails }) => ({ key: from, label: formatDay(from), value: mails }));
  return (
    <StatisticsPanel title={t("alerts.statistics.weeks")}>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <ColumnChart points={points} />
        <ChartTable
          label={t("alerts.statistics.table", { title: t("alerts.statistics.weeks") })}
          head={[t("alerts.statistics.week"), t("alerts.statistics.emails")]}
          points={points.filter(({ value }) => value > 0)}
          emptyText={t("alerts.statistics.noMails")}
        />
      </div>
    </StatisticsPanel>
  );
}

export function AlertShares({ history }: { history: History }) {
  const { t } = useTranslation();
  const total = history.days.reduce((total, { matches }) => total + matches, 0);
  const named = history.alerts.map(({ _id, name, matches }) => ({ key: _id, label: name, value: matches }));
  const rest = total - sumValues(named);
  const rows =
    rest > 0 ? [...named, { key: "rest", label: t("alerts.statistics.otherAlerts"), value: rest }] : named;
  return (
    <StatisticsPanel title={t("alerts.statistics.shares")}>
      {rows.length === 0 ? (
        <p className="text-[0.9375rem] text-ink-soft">{t("alerts.statistics.noMatches")}</p>
      ) : (
        <BarTable
          head={[t("alerts.statistics.alert"), t("alerts.statistics.count")]}
          rows={rows}
          maximum={total}
        />
      )}
    </StatisticsPanel>
  );
}

export function AlertHistory({ history }: { history: History }) {
  return (
    <>
      <MatchesPerDay days={history.days} />
      <MailsPerWeek weeks={history.weeks} />
    </>
  );
}
