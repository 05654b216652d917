// The pricing page: a card for each paid plan, and the comparison of all plans.

import { useQuery } from "@tanstack/react-query";
import { BellPlus } from "lucide-react";
import { useContext, useState } from "react";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { GUEST_DETAILS_PER_MONTH } from "@/shared/plans/guestQuota.ts";
import { PAID_PLANS, plans as plansQuery } from "@/shared/plans/plans.ts";
import { useAccount } from "@/shared/session/account.ts";
import { intendedPath } from "@/shared/session/intendedPath.ts";
import { isNewAlertPath } from "@/shared/tender/newAlertPath.ts";
import { Button } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { type BillingCycle, ownSubscription, useCheckout } from "./api.ts";
import { Comparison } from "./Comparison.tsx";
import { PlanCard } from "./PlanCard.tsx";

/** Switches between monthly and yearly prices. */
function CycleSwitch({ cycle, onChange }: { cycle: BillingCycle; onChange: (cycle: BillingCycle) => void }) {
  const { t } = useTranslation();
  return (
    <fieldset className="inline-flex rounded-lg border border-edge bg-sheet p-1">
      <legend className="sr-only">{t("plans.cycle.label")}</legend>
      {(["monthly", "yearly"] as const).map((one) => (
        <label
          key={one}
          className="flex min-h-9 cursor-pointer items-center rounded-md px-4 text-[0.9375rem] font-semibold text-ink-soft has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent max-md:min-h-11"
        >
          <input
            type="radio"
            name="cycle"
            checked={cycle === one}
            onChange={() => onChange(one)}
            className="sr-only"
          />
          {t(`plans.cycle.${one}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** Says that the alert for which the visitor came is kept, and which plans have alerts. */
function KeptAlert() {
  const { t } = useTranslation();
  const now = useContext(ClockContext);
  if (!isNewAlertPath(intendedPath(now()))) return null;
  return (
    <p className="mt-6 flex max-w-[75ch] items-start gap-3 rounded-lg bg-accent-wash px-4 py-3 text-accent">
      <BellPlus size={20} aria-hidden className="mt-0.5 shrink-0" />
      {t("plans.alertKept")}
    </p>
  );
}

/** Removes the full stop at the end, so that the text can be part of another sentence. */
const withoutFullStop = (sentence: string) => sentence.replace(/[.。]$/, "");

export function Component() {
  const { t } = useTranslation();
  const { status } = useAccount();
  const { data, error, isPending, refetch } = useQuery(plansQuery);
  const subscription = useQuery({ ...ownSubscription, enabled: status === "signed-in" });
  const checkout = useCheckout();
  const [cycle, setCycle] = useState<BillingCycle>("monthly");
  // If the subscription can't be loaded, treat the user as having none. The server checks the
  // subscription again at the checkout.
  const current = subscription.error ? null : subscription.data;
  return (
    <Page className="py-10">
      <Metadata
        title={t("plans.title")}
        description={t("plans.description")}
        keywords={t("plans.keywords")}
      />
      <h1 className="text-3xl font-bold tracking-tight">{t("plans.heading")}</h1>
      <p className="mt-2 max-w-[60ch] text-lg text-ink-soft">
        {t("plans.lead", { count: GUEST_DETAILS_PER_MONTH })}
      </p>
      {isPending && <div role="status" aria-label={t("plans.loading")} className="skeleton mt-8 h-96" />}
      {error && !data && (
        <div className="mt-8">
          <ErrorBanner
            title={messageOf(error, t("plans.failed"))}
            action={
              <Button variant="outlined" size="small" onClick={() => void refetch()}>
                {t("shell.tryAgain")}
              </Button>
            }
          />
        </div>
      )}
      {data && (
        <>
          <KeptAlert />
          <div className="mt-6">
            <CycleSwitch cycle={cycle} onChange={setCycle} />
          </div>
          {checkout.error && (
            <div className="mt-4">
              <ErrorBanner
                title={t("plans.checkout.failed", {
                  message: withoutFullStop(messageOf(checkout.error, checkout.error.message)),
                })}
              />
            </div>
          )}
          <ul className="mt-4 grid gap-4 lg:grid-cols-3">
            {PAID_PLANS.map((name) => {
              const offer = data.find((plan) => plan.name === name);
              const props = { plan: name, cycle, current, checkout };
              return offer && <PlanCard key={name} offer={offer} {...props} />;
            })}
          </ul>
          <p className="mt-4 text-sm text-ink-soft">
            {t("plans.secure")} {t(cycle === "yearly" ? "plans.renewalYearly" : "plans.renewal")}
          </p>
          <div className="mt-10">
            <Comparison plans={data} />
          </div>
        </>
      )}
    </Page>
  );
}
