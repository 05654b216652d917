// Shows what a change of plan costs and when it starts, before the user confirms the change.

import { useQuery } from "@tanstack/react-query";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { planName } from "@/shared/plans/plans.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { type BillingCycle, planQuote, type Subscription, useChangePlan } from "./api.ts";
import { formatPrice, priceLabel } from "./prices.ts";

export function ChangePlanDialog({
  open,
  onClose,
  current,
  plan,
  cycle,
}: {
  open: boolean;
  onClose: () => void;
  current: Subscription;
  plan: string;
  cycle: BillingCycle;
}) {
  const { t } = useTranslation();
  const { data: quote, error } = useQuery({ ...planQuote(plan, cycle), enabled: open });
  const change = useChangePlan();
  const [name, before] = [planName(plan, t), planName(current.plan, t)];
  const close = () => {
    change.reset();
    onClose();
  };
  const failure = change.error ?? error;
  const isNow = quote?.effect === "now";
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t("plans.change.title", { plan: name })}
      actions={
        <>
          <Button variant="outlined" onClick={close}>
            {t("plans.change.back")}
          </Button>
          <Button
            disabled={!quote || change.isPending}
            onClick={() => change.mutate({ plan, billingCycle: cycle }, { onSuccess: close })}
          >
            {change.isPending
              ? t("plans.checkout.processing")
              : isNow
                ? t("plans.change.pay", { amount: formatPrice(quote.firstPayment, quote.currency) })
                : t("plans.change.confirm")}
          </Button>
        </>
      }
    >
      {!quote && !error && (
        <div role="status" aria-label={t("plans.change.loading")} className="skeleton h-24" />
      )}
      {quote && isNow && (
        <>
          <p>{t("plans.change.now", { plan: name })}</p>
          <dl className="mt-4 grid grid-cols-[1fr_auto] gap-y-1.5 text-ink tabular-nums">
            <dt>{t("plans.change.price", { plan: name })}</dt>
            <dd className="pl-4 text-right">{formatPrice(quote.price, quote.currency)}</dd>
            {quote.credit > 0 && (
              <>
                <dt>{t("plans.change.credit", { plan: before })}</dt>
                <dd className="pl-4 text-right">− {formatPrice(quote.credit, quote.currency)}</dd>
              </>
            )}
            <dt className="border-t border-line pt-1.5 font-semibold">{t("plans.change.first")}</dt>
            <dd className="border-t border-line pt-1.5 pl-4 text-right font-semibold">
              {formatPrice(quote.firstPayment, quote.currency)}
            </dd>
          </dl>
          <p className="mt-4">
            {quote.nextBillingDate &&
              t("plans.change.then", {
                price: priceLabel(quote.price, quote.currency, cycle, t),
                day: formatDay(quote.nextBillingDate),
              })}{" "}
            {quote.credit > 0 && t("plans.change.rule")}
          </p>
        </>
      )}
      {quote?.effect === "end" && (
        <p>
          {t("plans.change.end", {
            before,
            day: formatDay(quote.beginsAt),
            plan: name,
            price: priceLabel(quote.price, quote.currency, cycle, t),
          })}
        </p>
      )}
      {quote?.effect === "held" && <p>{t("plans.change.held", { plan: name })}</p>}
      {failure && (
        <div className="mt-4">
          <ErrorBanner title={messageOf(failure, t("plans.change.failed"))} />
        </div>
      )}
    </Dialog>
  );
}
