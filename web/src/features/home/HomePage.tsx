// Home: the search, the newest clips, what closes soon, whom the portal reads and who buys, how it
// works, an example of a mail, and the prices.

import { useQuery } from "@tanstack/react-query";
import { CalendarClock, Languages, ListChecks, Newspaper } from "lucide-react";
import { Link } from "react-router";
import type { HighlightedTender, ShownNotice } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { homePath, paths } from "@/shared/paths.ts";
import { GUEST_DETAILS_PER_MONTH } from "@/shared/plans/guestQuota.ts";
import { type Account, useAccount } from "@/shared/session/account.ts";
import { hasAlerts } from "@/shared/session/planAccess.ts";
import { TenderRow } from "@/shared/tender/TenderRow.tsx";
import { ButtonLink } from "@/ui/Button.tsx";
import { Collapsible } from "@/ui/Collapsible.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { homeHighlights } from "./api.ts";
import { Counters } from "./Counters.tsx";
import { Newspapers, Organizations } from "./Coverage.tsx";
import { Notice } from "./Notice.tsx";
import { PlanPrices } from "./PlanPrices.tsx";
import { SampleMail } from "./SampleMail.tsx";
import { SearchBox } from "./SearchBox.tsx";

/** The ways in: the listing, and registration for guests or the start page for users. */
function Entrances({ account: { status, user } }: { account: Account }) {
  const { t } = useTranslation();
  return (
    <div className="mt-4 flex flex-wrap gap-2.5 sm:mt-6 sm:gap-3">
      <ButtonLink to={paths.tenders}>{t("home.hero.view")}</ButtonLink>
      {status === "guest" && (
        <>
          <ButtonLink to={paths.registerAs("supplier")} variant="outlined">
            {t("home.hero.supplier")}
          </ButtonLink>
          <ButtonLink to={paths.registerAs("buyer")} variant="outlined">
            {t("home.hero.buyer")}
          </ButtonLink>
        </>
      )}
      {user && homePath(user.role) !== paths.tenders && (
        <ButtonLink to={homePath(user.role)} variant="outlined">
          {t("home.hero.start")}
        </ButtonLink>
      )}
    </div>
  );
}

function ClosingSoon({ tenders }: { tenders: HighlightedTender[] }) {
  const { t } = useTranslation();
  return (
    <section>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-xl font-bold tracking-tight sm:text-2xl">{t("home.closing.title")}</h2>
        <Link
          to={`${paths.tenders}?show=live&sort=closing`}
          className="font-semibold text-accent hover:underline"
        >
          {t("home.closing.all")}
        </Link>
      </div>
      <ul className="mt-3 divide-y divide-line border-y border-line max-sm:[&>li:nth-child(n+4)]:hidden">
        {tenders.map((tender) => (
          <TenderRow key={tender._id} tender={tender} />
        ))}
      </ul>
      <p className="mt-2 text-sm text-ink-soft">{t("home.closing.chosen")}</p>
    </section>
  );
}

/** More notices. A phone shows only the newest, at the page's head. */
function MoreNotices({ notices }: { notices: ShownNotice[] }) {
  const { t } = useTranslation();
  return (
    <section className="max-sm:hidden">
      <h2 className="text-xl font-bold tracking-tight sm:text-2xl">{t("home.notices.title")}</h2>
      <div className="mt-4 grid gap-4 sm:max-lg:grid-cols-2">
        {notices.map((notice) => (
          <Notice key={notice.tender._id} notice={notice} />
        ))}
      </div>
    </section>
  );
}

/**
 * How it works, in three steps: one below the other, or beside each other. `needsPlan`: the reader has no alerts,
 * and is told which plan has them.
 */
function Steps({ isWide, needsPlan }: { isWide: boolean; needsPlan: boolean }) {
  const { t } = useTranslation();
  return (
    <section>
      <h2 className="text-xl font-bold tracking-tight sm:text-2xl">{t("home.steps.title")}</h2>
      <ol className={`mt-3 grid gap-3 sm:mt-5 sm:gap-5 ${isWide ? "md:grid-cols-3" : ""}`}>
        {(["read", "find", "alert"] as const).map((step, index) => (
          <li key={step} className="flex gap-4">
            <span
              aria-hidden
              className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-wash font-bold text-accent"
            >
              {index + 1}
            </span>
            <div>
              <h3 className="font-semibold">{t(`home.steps.${step}`)}</h3>
              <p className="text-[0.9375rem] text-ink-soft">{t(`home.steps.${step}Text`)}</p>
              {step === "alert" && needsPlan && (
                <p className="text-sm text-ink-soft">{t("home.steps.alertPlan")}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
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
    <Page className="py-7 sm:py-14">
      <h2 className="text-xl font-bold tracking-tight sm:text-2xl">{t("home.why.title")}</h2>
      <ul className="mt-3 grid gap-2 sm:mt-6 sm:grid-cols-2 sm:gap-4 lg:grid-cols-4">
        {cards.map(({ key, icon: Icon }) => (
          <li
            key={key}
            className="rounded-xl border border-line bg-sheet p-4 max-sm:flex max-sm:gap-3 max-sm:py-2.5 sm:p-5"
          >
            <Icon size={24} strokeWidth={1.75} aria-hidden className="shrink-0 text-accent" />
            <div>
              <h3 className="font-semibold sm:mt-3">{t(`home.why.${key}Title`)}</h3>
              <p className="mt-1 text-[0.9375rem] text-ink-soft">{t(`home.why.${key}Text`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </Page>
  );
}

function CallToAction() {
  const { t } = useTranslation();
  return (
    <Page>
      <section className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 rounded-2xl bg-accent-wash px-5 py-6 sm:px-10 sm:py-8">
        <div>
          <h2 className="text-xl font-bold tracking-tight sm:text-2xl">{t("home.call.title")}</h2>
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
  );
}

export function Component() {
  const { t } = useTranslation();
  const account = useAccount();
  const { data: home } = useQuery(homeHighlights);
  const [newest, ...others] = home?.notices ?? [];
  const example = newest?.tender ?? home?.closingSoon[0];
  const needsPlan = account.status === "guest" || (account.user !== null && !hasAlerts(account.user));
  const isBuying = account.status === "guest" || account.user?.subscription.plan === "free";
  return (
    <>
      <Metadata
        title={t("home.title")}
        description={t("home.description")}
        keywords={t("home.keywords")}
        kind="WebSite"
      />
      <Page
        className={`grid items-center gap-x-14 gap-y-6 pt-6 pb-7 sm:gap-y-10 sm:py-10 lg:py-14 ${newest ? "lg:grid-cols-[minmax(0,1fr)_27rem]" : ""}`}
      >
        <div className="flex min-w-0 max-w-[50rem] flex-col">
          <p className="text-[0.9375rem] font-semibold text-accent">{t("home.hero.eyebrow")}</p>
          <h1 className="mt-2 text-[clamp(1.5rem,8vw,2rem)] leading-[1.15] font-bold tracking-tight sm:text-[2.75rem]">
            {t("home.hero.title")}
          </h1>
          <p className="mt-4 max-w-[60ch] text-ink-soft max-sm:order-last sm:text-lg">
            {t("home.hero.text")}
          </p>
          <SearchBox />
          <Entrances account={account} />
        </div>
        {newest && <Notice notice={newest} isFirst />}
      </Page>
      <Counters />
      {home && home.closingSoon.length + home.newspapers.length > 0 && (
        <Page
          className={`grid gap-x-14 gap-y-7 sm:gap-y-12 pt-7 sm:pt-14 ${others.length > 0 ? "lg:grid-cols-[minmax(0,1fr)_22rem]" : ""}`}
        >
          <div className="grid content-start gap-y-7 sm:gap-y-12">
            {home.closingSoon.length > 0 && <ClosingSoon tenders={home.closingSoon} />}
            {home.newspapers.length > 0 && <Newspapers newspapers={home.newspapers} />}
          </div>
          {others.length > 0 && <MoreNotices notices={others} />}
        </Page>
      )}
      {home && home.organizations.length > 0 && (
        <Page className="pt-7 sm:pt-14">
          <Organizations organizations={home.organizations} />
        </Page>
      )}
      <Page
        className={`grid items-center gap-x-14 gap-y-10 pt-7 sm:pt-14 ${example ? "lg:grid-cols-2" : ""}`}
      >
        <Steps isWide={!example} needsPlan={needsPlan} />
        {example && (
          <Collapsible label={t("home.mail.show")}>
            <SampleMail tender={example} />
          </Collapsible>
        )}
      </Page>
      {isBuying && <PlanPrices />}
      <Benefits />
      {account.status === "guest" && <CallToAction />}
    </>
  );
}
