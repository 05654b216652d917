// What became of the tenders that the alerts found: a funnel, and a table with one row for each alert.

import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { paths } from "@/shared/paths.ts";
import { type AlertOutcome, alertOutcomes, type OutcomeDays } from "./api.ts";
import { StatisticsPanel } from "./StatisticsPanel.tsx";

const STEPS = ["found", "relevant", "bid", "won"] as const;

const linkStyle = "text-accent underline-offset-2 hover:underline";

interface FunnelProps {
  total: AlertOutcome;
  /** How often a tender was found. It is more than the tenders found if alerts overlap. */
  matches: number;
}

function Funnel({ total, matches }: FunnelProps) {
  const { t } = useTranslation();
  return (
    <ol className="grid gap-2.5">
      {STEPS.map((step) => (
        <li
          key={step}
          className="grid grid-cols-[6rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 sm:grid-cols-[9rem_minmax(0,1fr)_auto]"
        >
          <span className="text-[0.9375rem] wrap-anywhere">{t(`alerts.outcome.${step}`)}</span>
          <span className="h-6 rounded bg-well" aria-hidden>
            <span
              className="block h-6 rounded bg-accent"
              style={{ width: `${total.found > 0 ? (100 * total[step]) / total.found : 0}%` }}
            />
          </span>
          <span className="min-w-8 text-right font-semibold tabular-nums">
            {(step === "bid" || step === "won") && total[step] > 0 ? (
              <Link to={paths.bids} className={linkStyle}>
                {total[step]}
              </Link>
            ) : (
              total[step]
            )}
          </span>
          {step === "found" && matches > total.found && (
            <span className="col-span-full -mt-1 text-sm text-ink-soft">
              {t("alerts.outcome.overlap", { matches })}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The address of the list with the matches of an alert. */
const matchesPath = (id: string) => `${paths.alerts}?${new URLSearchParams({ alert: id })}`;

export function Outcomes({ days }: { days: OutcomeDays }) {
  const { t } = useTranslation();
  const { data } = useQuery(alertOutcomes(days));
  const hasValue = data !== undefined && data.total.wonValue > 0;
  return (
    <StatisticsPanel title={t("alerts.outcome.title")}>
      {data ? (
        <div className="grid items-start gap-x-10 gap-y-4 lg:grid-cols-2">
          <div>
            <Funnel
              total={data.total}
              matches={data.alerts.reduce((sum, { outcome }) => sum + outcome.found, 0)}
            />
            {hasValue && (
              <p className="mt-3 text-[0.9375rem]">
                {t("alerts.outcome.value", { amount: formatAmount(data.total.wonValue, "LKR") })}
              </p>
            )}
          </div>
          <section
            className="overflow-x-auto"
            aria-label={t("alerts.outcome.byAlert")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table
            tabIndex={0}
          >
            <table className={`w-full text-[0.9375rem] ${hasValue ? "min-w-[30rem]" : ""}`}>
              <thead>
                <tr className="border-b border-line text-left text-sm text-ink-soft">
                  <th scope="col" className="py-1.5 pr-3 font-normal">
                    {t("alerts.statistics.alert")}
                  </th>
                  {STEPS.map((step) => (
                    <th key={step} scope="col" className="px-1.5 py-1.5 text-right sm:px-2 font-normal">
                      {t(`alerts.outcome.${step}`)}
                    </th>
                  ))}
                  {hasValue && (
                    <th scope="col" className="py-1.5 pl-2 text-right font-normal">
                      {t("alerts.outcome.wonValue")}
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {data.alerts.map(({ _id, name, outcome }) => (
                  <tr key={_id} className="border-b border-line last:border-0">
                    <th
                      scope="row"
                      className="py-1.5 pr-3 text-left font-normal wrap-anywhere max-sm:text-sm"
                    >
                      {name}
                    </th>
                    {STEPS.map((step) => {
                      const to = {
                        found: matchesPath(_id),
                        relevant: null,
                        bid: paths.bids,
                        won: paths.bids,
                      }[step];
                      return (
                        <td key={step} className="px-1.5 py-1.5 text-right sm:px-2 tabular-nums">
                          {to && outcome[step] > 0 ? (
                            <Link
                              to={to}
                              reloadDocument={step === "found"}
                              aria-label={t("alerts.outcome.link", {
                                name,
                                step: t(`alerts.outcome.${step}`),
                                count: outcome[step],
                              })}
                              className={linkStyle}
                            >
                              {outcome[step]}
                            </Link>
                          ) : (
                            outcome[step]
                          )}
                        </td>
                      );
                    })}
                    {hasValue && (
                      <td className="py-1.5 pl-2 text-right whitespace-nowrap tabular-nums">
                        {outcome.wonValue > 0 ? formatAmount(outcome.wonValue, "LKR") : "–"}
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </div>
      ) : (
        <div role="status" aria-label={t("alerts.statistics.loading")} className="skeleton h-40" />
      )}
      <details className="mt-3 max-w-[80ch] text-sm text-ink-soft">
        <summary className="w-fit py-1.5 font-semibold text-accent hover:underline max-md:py-3">
          {t("alerts.outcome.helpTitle")}
        </summary>
        <p>{t("alerts.outcome.help")}</p>
      </details>
    </StatisticsPanel>
  );
}
