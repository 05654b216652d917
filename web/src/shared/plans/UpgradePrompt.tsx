// Explains why something is locked and offers ways to unlock it: an account, a plan, or signing in.

import { Lock } from "lucide-react";
import { useContext } from "react";
import { useLocation } from "react-router";
import type { PlanName } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { paths, signInPath, signUpPath } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { keepIntendedPath } from "@/shared/session/intendedPath.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { isPaidPlan } from "./plans.ts";

export function UpgradePrompt({
  plan,
  text,
  isNamed = false,
}: {
  /** The lowest plan that gives access; `free` means an account. `null` if no plan does. */
  plan: PlanName | null;
  text: string;
  /** Whether `text` already names the plan. */
  isNamed?: boolean;
}) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const { pathname, search } = useLocation();
  const now = useContext(ClockContext);
  const here = pathname + search;
  const paid = isPaidPlan(plan) ? plan : null;
  const isGuest = status === "guest";
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg bg-well px-4 py-3">
      <Lock size={18} aria-hidden className="shrink-0 text-ink-soft max-sm:hidden" />
      <p className="min-w-48 flex-1 text-[0.9375rem]">
        {text}
        {paid && !isNamed && ` ${t("tenders.locked.included", { plan: t(`tenders.locked.plan.${paid}`) })}`}
      </p>
      <div className="flex flex-wrap gap-2">
        {plan === "free" && (
          <ButtonLink to={signUpPath(here)} size="small">
            {t("tenders.locked.signUp")}
          </ButtonLink>
        )}
        <ButtonLink
          to={paths.pricing}
          variant="outlined"
          size="small"
          onClick={() => keepIntendedPath(here, now())}
        >
          {t("plans.view")}
        </ButtonLink>
        {isGuest && (
          <ButtonLink to={signInPath(here)} variant="plain" size="small">
            {t("shell.nav.signIn")}
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
