// Replaces a tender's details when the quota is used up or the tender is locked.

import { useQuery } from "@tanstack/react-query";
import { type ApiError, messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { planName, plans as plansQuery } from "@/shared/plans/plans.ts";
import { UpgradePrompt } from "@/shared/plans/UpgradePrompt.tsx";
import { useAccount } from "@/shared/session/account.ts";
import { Button } from "@/ui/Button.tsx";

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

/** Says that too many details were requested. It is a pause and no fault, so it does not look like one. */
export function ThrottledDetails({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-lg bg-well px-4 py-3"
    >
      <p className="min-w-48 flex-1 text-[0.9375rem]">{messageOf(error, error.message)}</p>
      <Button variant="outlined" size="small" onClick={onRetry}>
        {t("shell.tryAgain")}
      </Button>
    </div>
  );
}

export function DetailsRefusal({ error }: { error: ApiError }) {
  if (error.code === "quota") return <QuotaUsedUp error={error} />;
  return <UpgradePrompt plan={error.plan ?? null} text={withFullStop(error.message)} />;
}

/** Adds a full stop if the text ends without one, so that another sentence can follow. */
function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
