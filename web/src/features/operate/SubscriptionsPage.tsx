// The page that lists subscriptions.

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { CreditCard } from "lucide-react";
import { Link } from "react-router";
import { PLAN_NAMES, parseEnum } from "@/api/enums.ts";
import type { ListedSubscription, SubscriptionStatus } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { paths } from "@/shared/paths.ts";
import { PAID_PLANS, planName } from "@/shared/plans/plans.ts";
import { Badge, type Tone } from "@/ui/Badge.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { useFilters, useSearchText } from "./filters.ts";
import { OperatePage } from "./OperatePage.tsx";
import { PartialList } from "./PartialList.tsx";
import { PaymentViews } from "./PaymentViews.tsx";
import { SUBSCRIPTION_STATUSES, type SubscriptionFilters, subscriptionList } from "./payments.ts";

const tones: Record<SubscriptionStatus, Tone> = {
  active: "good",
  pending: "soon",
  cancelled: "quiet",
  expired: "quiet",
};

function SubscriptionRow({ subscription }: { subscription: ListedSubscription }) {
  const { t } = useTranslation();
  const { user, plan, status, provider } = subscription;
  const price = t(`operate.payments.price.${subscription.billingCycle}`, {
    amount: formatAmount(subscription.price, subscription.currency),
  });
  const end = formatDay(subscription.endDate);
  const facts = [
    provider ? `${price} (${provider})` : t("operate.payments.given"),
    t("operate.payments.since", { day: formatDay(subscription.startDate) }),
    status === "active" &&
      (subscription.autoRenew
        ? t("operate.payments.renews", { day: end })
        : t("operate.payments.ends", { day: end })),
    subscription.nextPlan && t("operate.payments.next", { plan: planName(subscription.nextPlan, t) }),
    subscription.endedAt && t("operate.payments.ended", { day: formatDay(subscription.endedAt) }),
  ].filter(Boolean);
  return (
    <div className="px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold">{planName(plan, t)}</span>
        <Badge tone={tones[status]}>{t(`operate.payments.status.${status}`)}</Badge>
        {subscription.unpaidSince && (
          <Badge tone="urgent">
            {t("operate.payments.unpaid", { day: formatDay(subscription.unpaidSince) })}
          </Badge>
        )}
      </p>
      <p className="text-[0.9375rem] wrap-anywhere">
        {user ? (
          <>
            {user.name}{" "}
            <Link
              to={`${paths.operateUsers}?search=${encodeURIComponent(user.email)}`}
              className="text-accent underline"
            >
              {user.email}
            </Link>
          </>
        ) : (
          t("operate.audit.unknownActor")
        )}
      </p>
      <p className="text-sm text-ink-soft">{facts.join(" · ")}</p>
    </div>
  );
}

function SubscriptionList({ filters }: { filters: SubscriptionFilters }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({ ...subscriptionList(filters), placeholderData: keepPreviousData });
  return (
    <PartialList
      list={list}
      items={list.data?.pages.flatMap(({ subscriptions }) => subscriptions) ?? []}
      keyOf={({ _id }) => _id}
      empty={
        <EmptyState icon={<CreditCard size={22} />} title={t("operate.payments.noSubscriptions")}>
          {t("operate.users.noneHelp")}
        </EmptyState>
      }
    >
      {(subscription) => <SubscriptionRow subscription={subscription} />}
    </PartialList>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<"search" | "status" | "plan">();
  const [text, status, plan] = [
    params.get("search"),
    parseEnum(SUBSCRIPTION_STATUSES, params.get("status")),
    parseEnum(PLAN_NAMES, params.get("plan")),
  ];
  const filters: SubscriptionFilters = {
    ...(text && { search: text }),
    ...(status && { status }),
    ...(plan && { plan }),
  };
  const [search, setSearch] = useSearchText(text ?? "", (text) => setFilter("search", text));
  return (
    <OperatePage title={t("operate.payments.title")}>
      <PaymentViews />
      <search className="mb-6 grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem_12rem]">
        <TextField
          type="search"
          label={t("operate.users.search")}
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.target.value)}
        />
        <SelectField
          label={t("operate.payments.statusLabel")}
          value={status ?? ""}
          onChange={(event) => setFilter("status", event.target.value)}
        >
          <option value="">{t("operate.payments.anyStatus")}</option>
          {SUBSCRIPTION_STATUSES.map((status) => (
            <option key={status} value={status}>
              {t(`operate.payments.status.${status}`)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t("operate.payments.planLabel")}
          value={plan ?? ""}
          onChange={(event) => setFilter("plan", event.target.value)}
        >
          <option value="">{t("operate.payments.anyPlan")}</option>
          {PAID_PLANS.map((plan) => (
            <option key={plan} value={plan}>
              {planName(plan, t)}
            </option>
          ))}
        </SelectField>
      </search>
      <SubscriptionList filters={filters} />
    </OperatePage>
  );
}
