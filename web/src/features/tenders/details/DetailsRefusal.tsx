// Replaces a tender's details when the quota is used up or the tender is locked.

import { useQuery } from "@tanstack/react-query";
import type { ApiError } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { planName, plans as plansQuery } from "@/shared/plans/plans.ts";
import { UpgradePrompt } from "@/shared/plans/UpgradePrompt.tsx";
import { useAccount } from "@/shared/session/account.ts";

/** Says that the quota is used up, and how many tenders the next plan includes. */
function useQuotaMessage({ message, plan }: ApiError): string {
  const { t } = useTranslation();
  const { user, status } = useAccount();
  const { data: plans = [] } = useQuery(plansQuery);
  const viewsIn = (name: string) => plans.find((one) => one.name === name)?.features.maxTenderViews;
  if (status === "guest") {
    const free = viewsIn("free");
    return free === undefined ? message : `${message} ${t("tenders.locked.freeIncludes", { count: free })}`;
  }
  const held = user?.subscription.plan ?? "free";
  const [used, next] = [viewsIn(held), viewsIn(plan ?? "")];
  if (!user || !plan || used === undefined || next === undefined) return message;
  const names = { held: planName(held, t), plan: planName(plan, t) };
  const more =
    next === -1
      ? t("tenders.locked.nextUnlimited", names)
      : t("tenders.locked.next", { ...names, count: next });
  return `${t("tenders.locked.used", { ...names, count: used })} ${more}`;
}

function QuotaUsedUp({ error }: { error: ApiError }) {
  const text = useQuotaMessage(error);
  // The text already names the plan, so the prompt need not.
  return <UpgradePrompt plan={error.plan ?? null} text={text} isNamed />;
}

export function DetailsRefusal({ error }: { error: ApiError }) {
  if (error.code === "quota") return <QuotaUsedUp error={error} />;
  return <UpgradePrompt plan={error.plan ?? null} text={withFullStop(error.message)} />;
}

/** Adds a full stop if the text ends without one, so that another sentence can follow. */
function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
