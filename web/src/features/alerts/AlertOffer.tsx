// The alerts page for users whose plan has no alerts: what alerts do, which plan has them, and what the
// alert would be for which the user came.

import { useQuery } from "@tanstack/react-query";
import { Bell, BellPlus, Filter, MailCheck } from "lucide-react";
import { useContext, useEffect } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { paths } from "@/shared/paths.ts";
import { plans as plansQuery } from "@/shared/plans/plans.ts";
import { keepIntendedPath } from "@/shared/session/intendedPath.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { AlertSummary, DroppedFilters } from "./AlertSummary.tsx";
import type { AlertForm } from "./form.ts";
import { droppedFilters, prefilledAlert } from "./prefill.ts";

const BENEFITS = [
  { key: "unlimited", icon: BellPlus },
  { key: "instant", icon: MailCheck },
  { key: "filters", icon: Filter },
] as const;

/** Names the lowest plan with alerts and its price. */
function PlanWithAlerts() {
  const { t } = useTranslation();
  const { data = [] } = useQuery(plansQuery);
  const plan = data.find(({ features }) => features.emailAlerts);
  if (!plan) return t("alerts.upsell.text");
  return t("alerts.offer.plan", { price: formatAmount(plan.price.monthly, "LKR") });
}

/** The alert for which the user came. It is kept until the plan is paid. */
function WantedAlert({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const { pathname, search } = useLocation();
  const now = useContext(ClockContext);
  useEffect(() => keepIntendedPath(pathname + search, now()), [pathname, search, now]);
  return (
    <section
      aria-label={t("alerts.offer.title")}
      className="mt-6 grid gap-4 rounded-xl border border-accent bg-sheet p-5 text-left"
    >
      <h2 className="text-lg font-semibold">{t("alerts.offer.title")}</h2>
      <AlertSummary form={form} />
      <DroppedFilters choices={droppedFilters(parameters)} />
      <p className="text-[0.9375rem] text-ink-soft">{t("alerts.offer.kept")}</p>
    </section>
  );
}

export function AlertOffer({ user }: { user: User }) {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const wanted = prefilledAlert(parameters);
  return (
    <Page className="py-10">
      <div className="mx-auto max-w-[46rem] text-center">
        <div className="mx-auto grid size-14 place-items-center rounded-full bg-accent-wash text-accent">
          <Bell size={26} aria-hidden />
        </div>
        <h1 className="mt-4 text-2xl font-bold tracking-tight">{t("alerts.upsell.title")}</h1>
        <p className="mt-2 text-balance text-ink-soft">
          <PlanWithAlerts />
        </p>
        {!user.emailVerified && (
          <p role="status" className="mt-4 rounded-lg bg-soon-wash px-4 py-3 text-[0.9375rem] text-soon">
            {t("account.verify.inbox", { email: user.email })}
          </p>
        )}
        {wanted && <WantedAlert form={wanted} />}
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          <ButtonLink to={paths.pricing} size="large">
            {t("plans.view")}
          </ButtonLink>
          {!wanted && (
            <ButtonLink to={paths.welcome} size="large" variant="outlined">
              {t("alerts.offer.welcome")}
            </ButtonLink>
          )}
        </div>
        <ul className="mt-8 grid gap-4 text-left sm:grid-cols-3">
          {BENEFITS.map(({ key, icon: Icon }) => (
            <li key={key} className="rounded-xl border border-line bg-sheet p-4">
              <Icon size={20} aria-hidden className="text-accent" />
              <p className="mt-2 font-semibold">{t(`alerts.upsell.${key}.title`)}</p>
              <p className="mt-1 text-[0.9375rem] text-ink-soft">{t(`alerts.upsell.${key}.text`)}</p>
            </li>
          ))}
        </ul>
      </div>
    </Page>
  );
}
