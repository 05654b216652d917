// On the account's page: the plan that is held, and how much of it is used.

import { useQuery } from "@tanstack/react-query";
import { paths } from "@/app/paths.ts";
import { Part } from "@/features/account/Part.tsx";
import { formatDay } from "@/features/tenders/dates.ts";
import { useTranslation } from "@/locales/i18n.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { ownSubscription, ownUsage, plans as plansQuery } from "./queries.ts";

function Meter({ label, used, quota }: { label: string; used: number; quota: number }) {
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
          className="mt-1 h-2 w-full accent-accent"
        />
      )}
    </div>
  );
}

export function OwnPlan({ plan }: { plan: string }) {
  const { t } = useTranslation();
  const usage = useQuery(ownUsage).data;
  const subscription = useQuery(ownSubscription).data;
  const features = useQuery(plansQuery).data?.find(({ name }) => name === plan)?.features;
  const name = plan === "free" ? t("plans.free") : t(`tenders.locked.plan.${plan as "basic"}`);
  return (
    <Part title={t("plans.own")}>
      <p className="text-[0.9375rem]">
        <strong className="font-semibold">{name}</strong>
        {subscription &&
          ` · ${t(subscription.autoRenew ? "plans.renews" : "plans.ends", { day: formatDay(subscription.endDate) })}`}
      </p>
      {usage && features && (
        <div className="mt-4 grid gap-3">
          <Meter label={t("plans.row.views")} used={usage.tenderViews} quota={features.maxTenderViews} />
          <Meter
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
      <div className="mt-4">
        <ButtonLink to={paths.pricing} look="outlined" size="small">
          {t("plans.view")}
        </ButtonLink>
      </div>
    </Part>
  );
}
