// The user's plan on the account page, with its renewal and usage, and the user's invoices.

import { useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { planName, plans as plansQuery } from "@/shared/plans/plans.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextArea } from "@/ui/Field.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import {
  ownInvoices,
  ownSubscription,
  ownUsage,
  type Subscription,
  useCancelPlan,
  useCheckout,
  useResumePlan,
} from "./api.ts";
import { formatExactPrice, formatPrice, priceLabel } from "./prices.ts";

/** The maximum length of the reason for a cancellation, in characters. */
const MAX_REASON_LENGTH = 500;

/** The colour of a usage bar: a warning from 80 % of the quota on, red once it is used up. */
function usageTone(used: number, quota: number): "calm" | "soon" | "urgent" {
  if (used >= quota) return "urgent";
  return used >= quota * 0.8 ? "soon" : "calm";
}

function UsageMeter({ label, used, quota }: { label: string; used: number; quota: number }) {
  const { t } = useTranslation();
  const isUnlimited = quota === -1;
  return (
    <div>
      <div className="flex justify-between gap-4 text-[0.9375rem]">
        <span>{label}</span>
        <span className="tabular-nums">
          {isUnlimited ? t("plans.usedOfAny", { used }) : t("plans.usedOf", { used, quota })}
        </span>
      </div>
      {!isUnlimited && (
        <progress
          aria-label={label}
          value={Math.min(used, quota)}
          max={Math.max(quota, 1)}
          data-tone={usageTone(used, quota)}
          className="amount mt-1.5 w-full"
        />
      )}
    </div>
  );
}

/** The notice for an unpaid period: how long the plan stays active, and the button to pay. */
function UnpaidNotice({ current }: { current: Subscription }) {
  const { t } = useTranslation();
  const checkout = useCheckout();
  const pay = () => checkout.mutate({ plan: current.plan, billingCycle: current.billingCycle });
  return (
    <div className="mb-5 grid gap-3">
      <div
        role="alert"
        className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg bg-urgent-wash px-4 py-3 text-urgent"
      >
        <CircleAlert size={20} aria-hidden className="shrink-0" />
        <div className="min-w-48 flex-1">
          <p className="font-semibold">{t("plans.unpaid.title")}</p>
          <p className="text-sm">{t("plans.unpaid.text", { day: formatDay(current.holdsUntil) })}</p>
        </div>
        <Button size="small" disabled={checkout.isPending} onClick={pay}>
          {checkout.isPending
            ? t("plans.checkout.processing")
            : t("plans.unpaid.pay", { amount: formatPrice(current.price, current.currency) })}
        </Button>
      </div>
      {checkout.error && (
        <ErrorBanner title={messageOf(checkout.error, checkout.error.message || t("plans.change.failed"))} />
      )}
    </div>
  );
}

function CancelPlan({ current }: { current: Subscription }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const cancel = useCancelPlan();
  const close = () => {
    setOpen(false);
    cancel.reset();
  };
  const plan = planName(current.plan, t);
  const day = formatDay(current.endDate);
  return (
    <>
      <Button variant="plain" size="small" onClick={() => setOpen(true)}>
        {t("plans.cancel.button")}
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={t("plans.cancel.title", { plan })}
        actions={
          <>
            <Button variant="outlined" onClick={close}>
              {t("plans.cancel.keep")}
            </Button>
            <Button
              variant="danger"
              disabled={cancel.isPending}
              onClick={() => cancel.mutate(reason, { onSuccess: close })}
            >
              {t(cancel.isPending ? "plans.checkout.processing" : "plans.cancel.confirm")}
            </Button>
          </>
        }
      >
        <p className="mb-4">
          {current.unpaidSince ? t("plans.cancel.unpaid", { plan }) : t("plans.cancel.text", { plan, day })}
        </p>
        <TextArea
          label={t("plans.cancel.reason")}
          optional={t("account.optional")}
          rows={3}
          maxLength={MAX_REASON_LENGTH}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {cancel.error && (
          <div className="mt-4">
            <ErrorBanner title={messageOf(cancel.error, t("plans.change.failed"))} />
          </div>
        )}
      </Dialog>
    </>
  );
}

/** Says what happens at the end of the period, or since when the plan is unpaid. */
function useRenewalText(current: Subscription): string {
  const { t } = useTranslation();
  const day = formatDay(current.endDate);
  if (current.next) {
    const values = { plan: planName(current.next.plan, t), day };
    const price = priceLabel(current.next.price, current.currency, current.next.billingCycle, t);
    return t(current.next.byHand ? "plans.nextByHand" : "plans.next", { ...values, price });
  }
  if (current.unpaidSince) return t("plans.unpaid.since", { day: formatDay(current.unpaidSince) });
  return t(current.autoRenew ? "plans.renews" : "plans.ends", { day });
}

function CurrentPlan({ current }: { current: Subscription }) {
  const { t } = useTranslation();
  const resume = useResumePlan();
  const renewalText = useRenewalText(current);
  const canResume = !current.isGiven && (!current.autoRenew || current.next !== null);
  return (
    <>
      <p className="text-[0.9375rem]">
        <strong className="font-semibold">{planName(current.plan, t)}</strong>
        {` · ${renewalText}`}
      </p>
      {!current.isGiven && (
        <p className="mt-1 text-sm text-ink-soft">
          {priceLabel(current.price, current.currency, current.billingCycle, t)}
        </p>
      )}
      {(canResume || (current.isGiven && current.next !== null)) && (
        <div className="mt-3">
          <Button size="small" disabled={resume.isPending} onClick={() => resume.mutate()}>
            {t(resume.isPending ? "plans.checkout.processing" : "plans.keep.button")}
          </Button>
        </div>
      )}
      {resume.error && (
        <div className="mt-3">
          <ErrorBanner title={messageOf(resume.error, t("plans.change.failed"))} />
        </div>
      )}
    </>
  );
}

export function OwnPlan({ plan }: { plan: string }) {
  const { t } = useTranslation();
  const usage = useQuery(ownUsage).data;
  const current = useQuery(ownSubscription).data;
  const features = useQuery(plansQuery).data?.find(({ name }) => name === plan)?.features;
  return (
    <SectionCard title={t("plans.own")}>
      {current?.unpaidSince && <UnpaidNotice current={current} />}
      {current ? (
        <CurrentPlan current={current} />
      ) : (
        <p className="text-[0.9375rem]">
          <strong className="font-semibold">{planName(plan, t)}</strong>
        </p>
      )}
      {usage && features && (
        <div className="mt-4 grid gap-3">
          <UsageMeter label={t("plans.row.views")} used={usage.tenderViews} quota={features.maxTenderViews} />
          <UsageMeter
            label={t("plans.row.uploads")}
            used={usage.tenderUploads}
            quota={features.maxTenderUploads}
          />
          <p className="text-sm text-ink-soft">
            {t("plans.period", {
              from: formatDay(usage.currentPeriodStart),
              until: formatDay(usage.currentPeriodEnd),
            })}
          </p>
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <ButtonLink to={paths.pricing} variant="outlined" size="small">
          {t(current ? "plans.changePlan" : "plans.view")}
        </ButtonLink>
        {current && !current.isGiven && (current.autoRenew || current.unpaidSince) && (
          <CancelPlan current={current} />
        )}
      </div>
    </SectionCard>
  );
}

/** The user's invoices. Shows nothing if there are none. */
export function OwnInvoices() {
  const { t } = useTranslation();
  const { data } = useQuery(ownInvoices);
  if (!data || data.length === 0) return null;
  return (
    <SectionCard title={t("plans.invoice.all")}>
      <ul className="divide-y divide-line">
        {data.map(({ _id, number, issuedAt, total, currency }) => (
          <li
            key={_id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0"
          >
            <Link to={paths.invoice(_id)} className="font-semibold text-accent underline">
              {number}
            </Link>
            <span className="text-sm text-ink-soft">{formatDay(issuedAt)}</span>
            <span className="ml-auto tabular-nums">{formatExactPrice(total, currency)}</span>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}
