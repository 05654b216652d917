// What became of the tenders that the alerts found: a funnel, and a table with one row for each alert.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { paths } from "@/shared/paths.ts";
import { type AlertOutcome, alertOutcomes, OUTCOME_DAYS, type OutcomeDays } from "./api.ts";
import { StatisticsPanel } from "./StatisticsPanel.tsx";

const STEPS = ["found", "relevant", "bid", "won"] as const;

const linkStyle = "text-accent underline-offset-2 hover:underline";

function Funnel({ total }: { total: AlertOutcome }) {
  const { t } = useTranslation();
  return (
    <ol className="grid gap-2.5">
      {STEPS.map((step) => (
        <li
          key={step}
          className="grid grid-cols-[6rem_minmax(0,1fr)_auto] items-center gap-3 sm:grid-cols-[9rem_minmax(0,1fr)_auto]"
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
        </li>
      ))}
    </ol>
  );
}

/** The address of the list with the matches of an alert. */
const matchesPath = (id: string) => `${paths.alerts}?${new URLSearchParams({ alert: id })}`;

export function Outcomes() {
  const { t } = useTranslation();
  const [days, setDays] = useState<OutcomeDays>(90);
  const { data } = useQuery(alertOutcomes(days));
  const hasValue = data !== undefined && data.total.wonValue > 0;
  return (
    <StatisticsPanel
      title={t("alerts.outcome.title")}
      aside={
        <fieldset className="flex gap-1 rounded-lg bg-well p-1">
          <legend className="sr-only">{t("alerts.statistics.period")}</legend>
          {OUTCOME_DAYS.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === days}
              onClick={() => setDays(one)}
              className="min-h-9 rounded-md px-3 text-sm text-ink-soft hover:text-ink aria-pressed:bg-sheet aria-pressed:font-semibold aria-pressed:text-accent max-md:min-h-11"
            >
              {t("alerts.statistics.lastDays", { days: one })}
            </button>
          ))}
        </fieldset>
      }
    >
      <p className="mb-3 max-w-[80ch] text-sm text-ink-soft">{t("alerts.outcome.help")}</p>
      {data ? (
        <>
          <Funnel total={data.total} />
          {hasValue && (
            <p className="mt-3 text-[0.9375rem]">
              {t("alerts.outcome.value", { amount: formatAmount(data.total.wonValue, "LKR") })}
            </p>
          )}
          <section
            className="mt-4 overflow-x-auto"
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
                    <th key={step} scope="col" className="px-2 py-1.5 text-right font-normal">
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
                    <th scope="row" className="py-1.5 pr-3 text-left font-normal wrap-anywhere">
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
                        <td key={step} className="px-2 py-1.5 text-right tabular-nums">
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
        </>
      ) : (
        <div role="status" aria-label={t("alerts.statistics.loading")} className="skeleton h-40" />
      )}
    </StatisticsPanel>
  );
}
