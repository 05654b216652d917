// Home: what the portal does, its counters, and links to the listing and to registration.

import { useQuery } from "@tanstack/react-query";
import { CalendarClock, Languages, ListChecks, Newspaper } from "lucide-react";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { GUEST_DETAILS_PER_MONTH } from "@/shared/plans/guestAllowance.ts";
import { tenderStats } from "@/shared/tender/tenderStats.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { SampleNotice } from "./SampleNotice.tsx";

function Counters() {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(tenderStats);
  const counters = [
    { key: "today", count: data?.todayTenders },
    { key: "live", count: data?.liveTenders },
    { key: "closed", count: data?.closedTenders },
    { key: "all", count: data?.totalTenders },
  ] as const;
  return (
    <section aria-label={t("home.stats.label")} className="border-y border-line bg-sheet">
      <Page>
        <dl className="grid grid-cols-2 lg:grid-cols-4">
          {counters.map(({ key, count }) => (
            <div
              key={key}
              className="flex flex-col-reverse border-line py-5 max-lg:odd:border-r max-lg:nth-[n+3]:border-t max-lg:even:pl-6 lg:not-first:border-l lg:not-first:pl-8"
            >
              <dt className="text-[0.9375rem] text-ink-soft">{t(`home.stats.${key}`)}</dt>
              <dd className="text-3xl font-bold tracking-tight">
                {isPending ? t("home.stats.loading") : (count ?? 0)}
              </dd>
            </div>
          ))}
        </dl>
      </Page>
    </section>
  );
}

function Benefits() {
  const { t } = useTranslation();
  const cards = [
    { key: "proof", icon: Newspaper },
    { key: "time", icon: CalendarClock },
    { key: "terms", icon: ListChecks },
    { key: "language", icon: Languages },
  ] as const;
  return (
    <Page className="py-14">
      <h2 className="text-2xl font-bold tracking-tight">{t("home.why.title")}</h2>
      <ul className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {cards.map(({ key, icon: Icon }) => (
          <li key={key} className="rounded-xl border border-line bg-sheet p-5">
            <Icon size={24} strokeWidth={1.75} aria-hidden className="text-accent" />
            <h3 className="mt-3 font-semibold">{t(`home.why.${key}Title`)}</h3>
            <p className="mt-1 text-[0.9375rem] text-ink-soft">{t(`home.why.${key}Text`)}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}

export function Component() {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("home.title")}
        description={t("home.description")}
        keywords={t("home.keywords")}
        kind="WebSite"
      />
      <Page className="grid items-center gap-x-14 gap-y-10 py-10 lg:grid-cols-[minmax(0,1fr)_29rem] lg:py-16">
        <div>
          <p className="text-[0.9375rem] font-semibold text-accent">{t("home.hero.eyebrow")}</p>
          <h1 className="mt-3 max-w-[18ch] text-[2.125rem] leading-[1.12] font-bold tracking-tight sm:text-5xl">
            {t("home.hero.title")}
          </h1>
          <p className="mt-5 max-w-[56ch] text-lg text-ink-soft">{t("home.hero.text")}</p>
          <div className="mt-7 flex flex-wrap gap-3">
            <ButtonLink to={paths.tenders} size="large">
              {t("home.hero.view")}
            </ButtonLink>
            <ButtonLink to={paths.registerAs("supplier")} variant="outlined" size="large">
              {t("home.hero.supplier")}
            </ButtonLink>
            <ButtonLink to={paths.registerAs("buyer")} variant="outlined" size="large">
              {t("home.hero.buyer")}
            </ButtonLink>
          </div>
        </div>
        <SampleNotice />
      </Page>
      <Counters />
      <Benefits />
      <Page>
        <section className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 rounded-2xl bg-accent-wash px-6 py-8 sm:px-10">
          <div>
            <h2 className="text-2xl font-bold tracking-tight">{t("home.call.title")}</h2>
            <p className="mt-1 text-ink-soft">{t("home.call.text", { count: GUEST_DETAILS_PER_MONTH })}</p>
          </div>
          <div className="flex flex-wrap gap-3">
            <ButtonLink to={paths.register}>{t("home.call.register")}</ButtonLink>
            <ButtonLink to={paths.tenders} variant="outlined">
              {t("home.call.browse")}
            </ButtonLink>
          </div>
        </section>
      </Page>
    </>
  );
}
