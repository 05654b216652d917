// The pricing page: a card for each paid plan, and a table that compares all plans.

import { useQuery } from "@tanstack/react-query";
import { Check, Minus } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/api/error.ts";
import { settings } from "@/api/settings.ts";
import type { Plan } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { GUEST_DETAILS_PER_MONTH } from "@/shared/plans/guestQuota.ts";
import { isPaidPlan, PAID_PLANS, type PaidPlan, plans as plansQuery } from "@/shared/plans/plans.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { type BillingCycle, ownSubscription, type Subscription, useCheckout } from "./api.ts";
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

interface SubscribeProps {
  plan: PaidPlan;
  cycle: BillingCycle;
  /**
   * The user's subscription: `null` for the free plan, `undefined` for guests and while it is
   * loading.
   */
  current: Subscription | null | undefined;
  checkout: ReturnType<typeof useCheckout>;
}

function SubscribeButton({ plan, cycle, current, checkout }: SubscribeProps) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const [isDialogOpen, setDialogOpen] = useState(false);
  if (status === "guest") {
    return (
      <ButtonLink to={`${paths.login}?redirect=${encodeURIComponent(paths.pricing)}`}>
        {t("plans.subscribe")}
      </ButtonLink>
    );
  }
  const isPaid = current != null && current.unpaidSince === null;
  const isCurrent = isPaid && current.plan === plan && (current.isGiven || current.billingCycle === cycle);
  if (isCurrent && current.autoRenew && !current.next) return <Badge tone="good">{t("plans.yours")}</Badge>;
  if (isCurrent && current.isGiven && !current.next) return <Badge tone="good">{t("plans.yours")}</Badge>;
  if (settings.payments === null) {
    return (
      <>
        <Button onClick={() => setDialogOpen(true)}>{t("plans.subscribe")}</Button>
        <NoPaymentsDialog open={isDialogOpen} onClose={() => setDialogOpen(false)} />
      </>
    );
  }
  if (isPaid) {
    return (
      <>
        {isCurrent && <Badge tone="good">{t("plans.yours")}</Badge>}
        <Button onClick={() => setDialogOpen(true)}>
          {t(isCurrent ? "plans.keep.button" : "plans.subscribe")}
        </Button>
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

function PlanCard({ offer, ...subscribe }: { offer: Plan } & SubscribeProps) {
  const { t } = useTranslation();
  const { plan: name, cycle } = subscribe;
  const isPopular = name === POPULAR_PLAN;
  return (
    <li
      className={`flex flex-col rounded-2xl border bg-sheet p-5 ${isPopular ? "border-accent shadow-sheet" : "border-line"}`}
    >
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{t(`tenders.locked.plan.${name}`)}</h2>
        {isPopular && <Badge tone="accent">{t("plans.popular")}</Badge>}
      </div>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">{t(`plans.for.${name}`)}</p>
      <p className="mt-4">
        <span className="text-3xl font-bold tracking-tight tabular-nums">
          {formatAmount(offer.price[cycle], "LKR")}
        </span>{" "}
        <span className="text-ink-soft">{t(cycle === "yearly" ? "plans.aYear" : "plans.aMonth")}</span>
      </p>
      {cycle === "yearly" && (
        <p className="mt-1 text-sm text-good">
          {t("plans.saved", { amount: formatAmount(12 * offer.price.monthly - offer.price.yearly, "LKR") })}
        </p>
      )}
      <ul className="mt-4 mb-6 grid gap-1.5">
        {PLAN_HIGHLIGHTS[name].map((point) => (
          <li key={point} className="flex gap-2 text-[0.9375rem]">
            <Check size={17} aria-hidden className="mt-1 shrink-0 text-accent" />
            {t(`plans.point.${point}`)}
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

/** A cell with a text, or with an icon that says whether a feature is included. */
function ComparisonCell({ value }: { value: string | boolean }) {
  const { t } = useTranslation();
  return (
    <td className="p-3 text-center tabular-nums">
      {typeof value === "string" ? (
        value
      ) : (
        <>
          <span className="sr-only">{t(value ? "plans.included" : "plans.notIncluded")}</span>
          {value ? (
            <Check size={18} aria-hidden className="mx-auto text-accent" />
          ) : (
            <Minus size={18} aria-hidden className="mx-auto text-ink-soft" />
          )}
        </>
      )}
    </td>
  );
}

function Comparison({ plans }: { plans: readonly Plan[] }) {
  const { t } = useTranslation();
  const quotaText = (count: number) => (count === -1 ? t("plans.unlimited") : String(count));
  // The archive of a guest goes back as many days as the archive of the free plan.
  const free = plans.find(({ name }) => !isPaidPlan(name));
  const rows: { label: string; of: (plan: Plan) => string | boolean; guest?: string }[] = [
    {
      label: t("plans.row.views"),
      of: ({ features }) => quotaText(features.maxTenderViews),
      guest: String(GUEST_DETAILS_PER_MONTH),
    },
    { label: t("plans.row.uploads"), of: ({ features }) => quotaText(features.maxTenderUploads) },
    { label: t("plans.row.searches"), of: ({ features }) => quotaText(features.savedSearches) },
    {
      label: t("plans.row.archive"),
      of: ({ archiveDays }) =>
        archiveDays === null ? t("plans.everything") : t("plans.days", { count: archiveDays }),
      ...(free?.archiveDays != null && { guest: t("plans.days", { count: free.archiveDays }) }),
    },
    { label: t("plans.row.advanced"), of: ({ features }) => features.advancedFiltering },
    { label: t("plans.row.alerts"), of: ({ features }) => features.emailAlerts },
    { label: t("plans.row.support"), of: ({ features }) => features.prioritySupport },
    { label: t("plans.row.api"), of: ({ features }) => features.apiAccess },
    { label: t("plans.row.reports"), of: ({ features }) => features.customReports },
  ];
  return (
    // A table that is wider than the screen scrolls inside this section.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a focused section
    <section tabIndex={0} aria-label={t("plans.compare")} className="relative overflow-x-auto rounded-xl">
      <table className="w-full min-w-[44rem] border-collapse bg-sheet text-[0.9375rem]">
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="p-3 text-left font-semibold">
              {t("plans.compare")}
            </th>
            <th scope="col" className="p-3 text-center font-semibold">
              {t("plans.guest")}
            </th>
            {plans.map(({ name, displayName }) => (
              <th key={name} scope="col" className="p-3 text-center font-semibold">
                {isPaidPlan(name)
                  ? t(`tenders.locked.plan.${name}`)
                  : name === "free"
                    ? t("plans.free")
                    : displayName}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, of, guest }) => (
            <tr key={label} className="border-b border-line">
              <th scope="row" className="p-3 text-left font-normal">
                {label}
              </th>
              <ComparisonCell value={guest ?? false} />
              {plans.map((plan) => (
                <ComparisonCell key={plan.name} value={of(plan)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

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
