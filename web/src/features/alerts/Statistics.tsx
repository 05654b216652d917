// The statistics of all the user's alerts.

import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { Button } from "@/ui/Button.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { type AlertStats, alertStats, OUTCOME_DAYS, type OutcomeDays } from "./api.ts";
import { derivedFigures } from "./derivedFigures.ts";
import { FREQUENCIES } from "./form.ts";
import { Outcomes } from "./Outcomes.tsx";
import { AlertHistory } from "./StatisticsHistory.tsx";
import { BarTable, StatisticsPanel } from "./StatisticsPanel.tsx";

function FigureCard({ label, value, children }: { label: string; value: number; children: ReactNode }) {
  return (
    <div className="flex flex-col rounded-lg bg-paper px-3 py-2.5">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="text-2xl font-bold tabular-nums">{value}</dd>
      <dd className="text-sm text-ink-soft">{children}</dd>
    </div>
  );
}

function Frequencies({ stats }: { stats: AlertStats }) {
  const { t } = useTranslation();
  const rows = FREQUENCIES.map((frequency) => ({
    key: frequency,
    label: t(`alerts.frequency.${frequency}`),
    value: stats.alertsByFrequency[frequency],
  }));
  return (
    <BarTable
      head={[t("alerts.form.frequency"), t("alerts.statistics.total")]}
      rows={rows}
      maximum={stats.totalAlerts}
    />
  );
}

/** The period of everything that is counted over one. */
function PeriodSwitch({ days, onChange }: { days: OutcomeDays; onChange: (days: OutcomeDays) => void }) {
  const { t } = useTranslation();
  return (
    <fieldset className="flex w-fit gap-1 rounded-lg bg-well p-1">
      <legend className="sr-only">{t("alerts.statistics.period")}</legend>
      {OUTCOME_DAYS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === days}
          onClick={() => onChange(one)}
          className="min-h-9 rounded-md px-3 text-sm text-ink-soft hover:text-ink aria-pressed:bg-sheet aria-pressed:font-semibold aria-pressed:text-accent max-md:min-h-11"
        >
          {t("alerts.statistics.lastDays", { days: one })}
        </button>
      ))}
    </fieldset>
  );
}

/** The figures of all alerts since the first one, with what follows from them. */
function Insights({ stats }: { stats: AlertStats }) {
  const { t } = useTranslation();
  const figures = derivedFigures(stats);
  return (
    <StatisticsPanel title={t("alerts.statistics.insights")}>
      <dl className="grid grid-cols-2 gap-2.5 lg:grid-cols-4">
        <FigureCard label={t("alerts.statistics.total")} value={stats.totalAlerts}>
          {t("alerts.statistics.split", { active: stats.activeAlerts, inactive: stats.inactiveAlerts })}
        </FigureCard>
        <FigureCard label={t("alerts.statistics.matches")} value={stats.totalMatches}>
          {t("alerts.statistics.efficiency", { percent: figures.matchEfficiency })}
        </FigureCard>
        <FigureCard label={t("alerts.statistics.emails")} value={stats.totalEmailsSent}>
          {t("alerts.statistics.perAlert", { mails: figures.emailsPerAlert })}
        </FigureCard>
        <FigureCard label={t("alerts.statistics.active")} value={stats.activeAlerts}>
          {t("alerts.statistics.ofAll", { active: stats.activeAlerts, total: stats.totalAlerts })}{" "}
          {t(stats.activeAlerts > 0 ? "alerts.statistics.monitoring" : "alerts.statistics.noneActive")}
          {" · "}
          {t("alerts.statistics.rate", { percent: figures.activeRate })}
        </FigureCard>
      </dl>
      <p className="mt-2.5 max-w-[80ch] text-sm text-ink-soft">{t("alerts.statistics.efficiencyHelp")}</p>
    </StatisticsPanel>
  );
}

export function Statistics() {
  const { t } = useTranslation();
  const [days, setDays] = useState<OutcomeDays>(90);
  const { data: stats, error, isPending, refetch } = useQuery(alertStats);
  if (isPending) return <LoadingScreen label={t("alerts.statistics.loading")} />;
  if (error && !stats) {
    return (
      <ErrorBanner
        title={t("alerts.statistics.error")}
        action={
          <Button variant="outlined" size="small" onClick={() => void refetch()}>
            {t("shell.tryAgain")}
          </Button>
        }
      />
    );
  }
  if (!stats || stats.totalAlerts === 0) {
    return <EmptyState icon={<ChartColumn size={22} />} title={t("alerts.statistics.empty")} />;
  }
  return (
    <div className="grid gap-3 sm:gap-4">
      <PeriodSwitch days={days} onChange={setDays} />
      <Outcomes days={days} />
      <AlertHistory history={stats.history} days={days} />
      <Insights stats={stats} />
      <div className="grid gap-4 lg:grid-cols-2">
        <StatisticsPanel title={t("alerts.statistics.frequencies")}>
          <Frequencies stats={stats} />
        </StatisticsPanel>
        <StatisticsPanel title={t("alerts.statistics.recent")}>
          {stats.recentMatches.length === 0 ? (
            <p className="text-ink-soft">{t("alerts.statistics.noRecent")}</p>
          ) : (
            <ul className="grid gap-2">
              {stats.recentMatches.map(({ alertName, lastMatchedAt, totalMatches }) => (
                <li
                  key={`${alertName} ${lastMatchedAt}`}
                  className="flex justify-between gap-4 text-[0.9375rem]"
                >
                  <span className="min-w-0">
                    <span className="block break-words font-semibold">{alertName}</span>
                    <span className="block text-sm text-ink-soft">{formatMoment(lastMatchedAt)}</span>
                  </span>
                  <span className="shrink-0 text-ink-soft">
                    {t("alerts.card.matches", { count: totalMatches })}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </StatisticsPanel>
        <StatisticsPanel title={t("alerts.statistics.tips")} wide>
          <ul className="grid list-disc gap-1 pl-5 text-[0.9375rem]">
            {(["words", "scripts", "exclude"] as const).map((tip) => (
              <li key={tip}>{t(`alerts.statistics.tip.${tip}`)}</li>
            ))}
          </ul>
        </StatisticsPanel>
      </div>
    </div>
  );
}
