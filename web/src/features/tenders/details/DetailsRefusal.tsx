// In place of a tender's details: a quota that is used up, or a lock, in one sentence each and with the ways on.

import { useQuery } from "@tanstack/react-query";
import type { ApiError } from "@/api/error.ts";
import { plans as plansQuery } from "@/features/plans/api.ts";
import { nameOfPlan } from "@/features/plans/prices.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Opens } from "../listing/LockedTenderCard.tsx";

/** A quota in words: what is used up, and what the next plan gives. */
function useQuotaWords({ message, plan }: ApiError): string {
  const { t } = useTranslation();
  const { user, status } = useAccount();
  const { data: plans = [] } = useQuery(plansQuery);
  const viewsOf = (name: string) => plans.find((one) => one.name === name)?.features.maxTenderViews;
  if (status === "guest") {
    const free = viewsOf("free");
    return free === undefined ? message : `${message} ${t("tenders.locked.freeIncludes", { count: free })}`;
  }
  const held = user?.subscription.plan ?? "free";
  const [used, next] = [viewsOf(held), viewsOf(plan ?? "")];
  if (!user || !plan || used === undefined || next === undefined) return message;
  const names = { held: nameOfPlan(held, t), plan: nameOfPlan(plan, t) };
  const more =
    next === -1
      ? t("tenders.locked.nextUnlimited", names)
      : t("tenders.locked.next", { ...names, count: next });
  return `${t("tenders.locked.used", { ...names, count: used })} ${more}`;
}

function UsedUp({ error }: { error: ApiError }) {
  const words = useQuotaWords(error);
  // The words name the plan already.
  return <Opens plan={error.plan ?? ""} words={words} isNamed />;
}

export function Refused({ error }: { error: ApiError }) {
  if (error.code === "quota") return <UsedUp error={error} />;
  return <Opens plan={error.plan ?? ""} words={sentence(error.message)} />;
}

/** With a full stop, so that another sentence can follow. */
function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
