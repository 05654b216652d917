// The four counters of Home. Each links to the tenders that it counts.

import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { tenderStats } from "@/shared/tender/tenderStats.ts";
import { Page } from "@/ui/Sheet.tsx";

export function Counters() {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(tenderStats);
  const counters = [
    { key: "today", count: data?.todayTenders },
    { key: "live", count: data?.liveTenders },
    { key: "closed", count: data?.closedTenders },
    { key: "all", count: data?.totalTenders },
  ] as const;
  // On the first day, both numbers are the same. Without a note, that looks like a mistake.
  const isFirstDay = data !== undefined && data.totalTenders > 0 && data.todayTenders === data.totalTenders;
  return (
    <section aria-label={t("home.stats.label")} className="border-y border-line bg-sheet">
      <Page>
        <dl className="grid grid-cols-2 lg:grid-cols-4">
          {counters.map(({ key, count }) => (
            <div
              key={key}
              className="relative flex flex-col-reverse justify-end border-line py-2.5 sm:py-4 hover:text-accent max-lg:odd:border-r max-lg:nth-[n+3]:border-t max-lg:even:pl-4 lg:not-first:border-l lg:not-first:pl-8"
            >
              <dt className="text-sm text-ink-soft max-[24rem]:text-[0.8125rem] sm:text-[0.9375rem]">
                <Link
                  to={key === "all" ? paths.tenders : `${paths.tenders}?show=${key}`}
                  className="after:absolute after:inset-0"
                >
                  {t(`home.stats.${key}`)}
                </Link>
                {key === "today" && isFirstDay && (
                  <span className="block text-[0.8125rem]">{t("home.stats.firstDay")}</span>
                )}
              </dt>
              <dd className="text-2xl font-bold sm:text-3xl tracking-tight">
                {isPending ? t("home.stats.loading") : (count ?? 0)}
              </dd>
            </div>
          ))}
        </dl>
      </Page>
    </section>
  );
}
