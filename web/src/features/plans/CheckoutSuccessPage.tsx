// The page to which the payment provider sends the user after a payment. It polls the portal,
// because the user may arrive before the provider has confirmed the payment to the portal.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { type ReactNode, useContext, useEffect } from "react";
import { useSearchParams } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { planName, plans as plansQuery } from "@/shared/plans/plans.ts";
import { useAccount } from "@/shared/session/account.ts";
import { forgetIntendedPath, intendedPath } from "@/shared/session/intendedPath.ts";
import { isNewAlertPath } from "@/shared/tender/newAlertPath.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { Sheet } from "@/ui/Sheet.tsx";
import { ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { MAX_POLLS, ownSubscription, refreshPlan, type Subscription, useCheckoutStatus } from "./api.ts";
import { priceLabel } from "./prices.ts";

/** A sheet about the state of the payment. Its title is also the title of the window. */
function StatusSheet({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Sheet title={title}>
      <Metadata title={title} description={t("plans.description")} keywords={t("plans.keywords")} unlisted />
      {children}
    </Sheet>
  );
}

function FailedCheckout({ message }: { message: string }) {
  const { t } = useTranslation();
  return (
    <StatusSheet title={t("plans.success.errorTitle")}>
      <div className="grid gap-5">
        <ErrorBanner title={message} />
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={paths.pricing}>{t("plans.success.tryAgain")}</ButtonLink>
          <ButtonLink to={paths.contact} variant="outlined">
            {t("plans.success.contact")}
          </ButtonLink>
        </div>
      </div>
    </StatusSheet>
  );
}

/** Names the active plan, its price and the day on which it renews or ends. */
function ActivePlan({ current }: { current: Subscription | null | undefined }) {
  const { t } = useTranslation();
  if (!current) return t("plans.success.text");
  const active = t("plans.success.active", {
    plan: planName(current.plan, t),
    day: formatDay(current.endDate),
  });
  const { nextBillingDate, price, currency, billingCycle } = current;
  if (!nextBillingDate) return active;
  const renewal = t("plans.success.renews", {
    price: priceLabel(price, currency, billingCycle, t),
    day: formatDay(nextBillingDate),
  });
  return `${active} ${renewal}`;
}

/** The next step: what the user came for, or a first alert if the plan has alerts. */
function NextStep({ plan }: { plan: string | undefined }) {
  const { t } = useTranslation();
  const now = useContext(ClockContext);
  const { data: offers = [] } = useQuery(plansQuery);
  const target = intendedPath(now());
  const alerts = offers.find(({ name }) => name === plan)?.features.emailAlerts ?? false;
  if (isNewAlertPath(target)) {
    return alerts && <ButtonLink to={target}>{t("plans.success.keptAlert")}</ButtonLink>;
  }
  if (target) {
    return (
      <ButtonLink to={target} onClick={forgetIntendedPath}>
        {t("plans.success.goOn")}
      </ButtonLink>
    );
  }
  return alerts && <ButtonLink to={paths.welcome}>{t("plans.success.firstAlert")}</ButtonLink>;
}

function Verification({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data, error } = useCheckoutStatus(sessionId);
  const isPaid = data?.success === true;
  const { data: current } = useQuery({ ...ownSubscription, enabled: isPaid });
  useEffect(() => {
    if (isPaid) void refreshPlan(client);
  }, [isPaid, client]);
  if (isPaid) {
    return (
      <StatusSheet title={t("plans.success.title")}>
        <div className="grid gap-5">
          <div role="status" className="flex items-start gap-3 rounded-lg bg-good-wash px-4 py-3 text-good">
            <CircleCheck size={20} aria-hidden className="mt-0.5 shrink-0" />
            <p>
              <ActivePlan current={current} />
            </p>
          </div>
          <div className="flex flex-wrap gap-3">
            <NextStep plan={current?.plan} />
            <ButtonLink to={paths.tenders} variant="outlined">
              {t("plans.success.tenders")}
            </ButtonLink>
            <ButtonLink to={paths.account} variant="outlined">
              {t("plans.success.account")}
            </ButtonLink>
          </div>
        </div>
      </StatusSheet>
    );
  }
  if (error) return <FailedCheckout message={t("plans.success.broken")} />;
  if (data && data.polls >= MAX_POLLS) {
    return <FailedCheckout message={data.message ?? t("plans.success.failed")} />;
  }
  return (
    <StatusSheet title={t("plans.success.processing")}>
      <LoadingScreen label={t("plans.success.wait")} />
    </StatusSheet>
  );
}

/** Asks a guest to sign in, because only the user who started a checkout may see it. */
function SignInFirst() {
  const { t } = useTranslation();
  const here = `${window.location.pathname}${window.location.search}`;
  return (
    <StatusSheet title={t("plans.success.processing")}>
      <div className="grid gap-5">
        <p className="text-ink-soft">{t("plans.success.signIn")}</p>
        <ButtonLink to={`${paths.login}?redirect=${encodeURIComponent(here)}`}>
          {t("plans.success.signInButton")}
        </ButtonLink>
      </div>
    </StatusSheet>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const { status } = useAccount();
  const sessionId = parameters.get("session_id") ?? "";
  return (
    <>
      {sessionId === "" ? (
        <FailedCheckout message={t("plans.success.noSession")} />
      ) : status === "guest" ? (
        <SignInFirst />
      ) : (
        <Verification sessionId={sessionId} />
      )}
    </>
  );
}
