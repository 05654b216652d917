// A paid plan on the pricing page: its price, what it is for, and the button to subscribe or to change.

import { Check } from "lucide-react";
import { useState } from "react";
import { settings } from "@/api/settings.ts";
import type { Plan } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { paths, signInPath } from "@/shared/paths.ts";
import { PAID_PLANS, type PaidPlan } from "@/shared/plans/plans.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import type { BillingCycle, Subscription, useCheckout } from "./api.ts";
import { ChangePlanDialog } from "./ChangePlanDialog.tsx";

const POPULAR_PLAN: PaidPlan = "professional";

/** The features on the card of each plan. */
const PLAN_HIGHLIGHTS = {
  basic: ["portal", "filters", "fortnight", "summary"],
  professional: ["search", "archive", "alerts", "favourites", "documents"],
  enterprise: ["realTime", "users", "support", "api", "reports", "manager"],
} as const;

/** Offers the contact page, because a portal without a payment provider sells no plans online. */
function NoPaymentsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("plans.noPayments.title")}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("plans.noPayments.close")}
          </Button>
          <ButtonLink to={paths.contact}>{t("plans.contact")}</ButtonLink>
        </>
      }
    >
      {t("plans.noPayments.text")}
    </Dialog>
  );
}

export interface SubscribeProps {
  plan: PaidPlan;
  cycle: BillingCycle;
  /**
   * The user's subscription: `null` for the free plan, `undefined` for guests and while it is
   * loading.
   */
  current: Subscription | null | undefined;
  checkout: ReturnType<typeof useCheckout>;
}

/** What the button says to a user who holds a paid plan. */
function changeLabel(current: Subscription, plan: PaidPlan, cycle: BillingCycle) {
  if (current.plan === plan) {
    return current.billingCycle === cycle ? "plans.keep.button" : (`plans.switchTo.${cycle}` as const);
  }
  const ranked: readonly string[] = PAID_PLANS;
  const rank = (name: string) => ranked.indexOf(name);
  return rank(plan) > rank(current.plan) ? "plans.upgrade" : "plans.downgrade";
}

function SubscribeButton({ plan, cycle, current, checkout }: SubscribeProps) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const [isDialogOpen, setDialogOpen] = useState(false);
  if (status === "guest") {
    return <ButtonLink to={signInPath(paths.pricing)}>{t("plans.subscribe")}</ButtonLink>;
  }
  const isPaid = current != null && current.unpaidSince === null;
  const isCurrent = isPaid && current.plan === plan && (current.isGiven || current.billingCycle === cycle);
  if (isCurrent && current.autoRenew && !current.next) return <Badge tone="good">{t("plans.yours")}</Badge>;
  if (isCurrent && current.isGiven && !current.next) return <Badge tone="good">{t("plans.yours")}</Badge>;
  if (settings.payments === null) {
    return (
      <>
        <Button onClick={() => setDialogOpen(true)}>
          {t(isPaid ? changeLabel(current, plan, cycle) : "plans.subscribe")}
        </Button>
        <NoPaymentsDialog open={isDialogOpen} onClose={() => setDialogOpen(false)} />
      </>
    );
  }
  if (isPaid) {
    return (
      <>
        {isCurrent && <Badge tone="good">{t("plans.yours")}</Badge>}
        <Button onClick={() => setDialogOpen(true)}>{t(changeLabel(current, plan, cycle))}</Button>
        <ChangePlanDialog
          open={isDialogOpen}
          onClose={() => setDialogOpen(false)}
          current={current}
          plan={plan}
          cycle={cycle}
        />
      </>
    );
  }
  const isProcessing = checkout.isPending && checkout.variables.plan === plan;
  return (
    <Button
      disabled={isProcessing || current === undefined}
      onClick={() => checkout.mutate({ plan, billingCycle: cycle })}
    >
      {t(isProcessing ? "plans.checkout.processing" : "plans.subscribe")}
    </Button>
  );
}

/** The price of the chosen cycle, and what a year costs less than twelve months. */
function Price({ price, cycle }: { price: Plan["price"]; cycle: BillingCycle }) {
  const { t } = useTranslation();
  const saving = 12 * price.monthly - price.yearly;
  const amounts = { price: formatAmount(price.yearly, "LKR"), saving: formatAmount(saving, "LKR") };
  return (
    <>
      <p className="mt-4">
        <span className="text-3xl font-bold tracking-tight tabular-nums">
          {formatAmount(price[cycle], "LKR")}
        </span>{" "}
        <span className="text-ink-soft">{t(cycle === "yearly" ? "plans.aYear" : "plans.aMonth")}</span>
      </p>
      {saving > 0 && (
        <p className="mt-1 text-sm text-good">
          {cycle === "yearly"
            ? t("plans.saved", { amount: amounts.saving })
            : t("plans.yearlyOffer", amounts)}
        </p>
      )}
    </>
  );
}

export function PlanCard({ offer, ...subscribe }: { offer: Plan } & SubscribeProps) {
  const { t } = useTranslation();
  const { plan: name, cycle } = subscribe;
  const isPopular = name === POPULAR_PLAN;
  const { maxTenderViews } = offer.features;
  const points = [
    maxTenderViews < 0 ? t("plans.opensAll") : t("plans.opens", { count: maxTenderViews }),
    ...PLAN_HIGHLIGHTS[name].map((point) => t(`plans.point.${point}`)),
  ];
  return (
    <li
      className={`flex flex-col rounded-2xl border bg-sheet p-5 ${isPopular ? "border-accent shadow-sheet" : "border-line"}`}
    >
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{t(`tenders.locked.plan.${name}`)}</h2>
        {isPopular && <Badge tone="accent">{t("plans.popular")}</Badge>}
      </div>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">{t(`plans.for.${name}`)}</p>
      <Price price={offer.price} cycle={cycle} />
      {name === "enterprise" && (
        <p className="mt-4 -mb-2.5 text-[0.9375rem] font-semibold">
          {t("plans.everythingIn", { plan: t("tenders.locked.plan.professional") })}
        </p>
      )}
      <ul className="mt-4 mb-6 grid gap-1.5">
        {points.map((point) => (
          <li key={point} className="flex gap-2 text-[0.9375rem]">
            <Check size={17} aria-hidden className="mt-1 shrink-0 text-accent" />
            {point}
          </li>
        ))}
      </ul>
      <div className="mt-auto flex flex-wrap gap-2">
        <SubscribeButton {...subscribe} />
        <ButtonLink to={paths.contact} variant="plain">
          {t("plans.contact")}
        </ButtonLink>
      </div>
    </li>
  );
}
