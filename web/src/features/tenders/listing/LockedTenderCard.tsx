// What is locked to this reader: what may be known of it, and what opens it.

import { Lock } from "lucide-react";
import { useId } from "react";
import { useLocation } from "react-router";
import type { LockedTender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { nameOf } from "@/shared/tender/vocabularyNames.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { Closing } from "../summary/ClosingTime.tsx";
import { CountdownBadge } from "../summary/CountdownBadge.tsx";
import { CLOSING, fieldState } from "../summary/fieldStates.ts";
import { TitleLink } from "./TitleLink.tsx";

const PLANS = ["basic", "professional", "enterprise"] as const;

/** Why it is locked, and the ways on: an account, a plan, or the account that one has. */
export function Opens({
  plan,
  words,
  isNamed = false,
}: {
  plan: string;
  words: string;
  /** The words name the plan that opens it. */
  isNamed?: boolean;
}) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const { pathname, search } = useLocation();
  const known = PLANS.find((name) => name === plan);
  const isGuest = status === "guest";
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg bg-well px-4 py-3">
      <Lock size={18} aria-hidden className="shrink-0 text-ink-soft max-sm:hidden" />
      <p className="min-w-48 flex-1 text-[0.9375rem]">
        {words}
        {known && !isNamed && ` ${t("tenders.locked.included", { plan: t(`tenders.locked.plan.${known}`) })}`}
      </p>
      <div className="flex flex-wrap gap-2">
        {plan === "free" && (
          <ButtonLink to={paths.register} size="small">
            {t("tenders.locked.signUp")}
          </ButtonLink>
        )}
        <ButtonLink to={paths.pricing} look="outlined" size="small">
          {t("plans.view")}
        </ButtonLink>
        {isGuest && (
          <ButtonLink
            to={`${paths.login}?redirect=${encodeURIComponent(pathname + search)}`}
            look="plain"
            size="small"
          >
            {t("shell.nav.signIn")}
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

/** A locked tender keeps its place in the listing. */
export function LockedCard({ tender }: { tender: LockedTender }) {
  const { t } = useTranslation();
  const id = useId();
  const { closing } = tender.dates;
  const words =
    tender.locked.reason === "archive"
      ? t("tenders.locked.archive")
      : t(tender.locked.plan === "free" ? "tenders.locked.registered" : "tenders.locked.premium");
  return (
    <article aria-labelledby={id} className="rounded-xl border border-line bg-sheet">
      <div className="grid gap-x-6 gap-y-2.5 px-4 pt-3 pb-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <h2
            id={id}
            className="line-clamp-2 text-pretty text-[1.0625rem] leading-snug font-semibold tracking-[-0.005em]"
          >
            <TitleLink id={tender._id}>{tender.title}</TitleLink>
          </h2>
          <p className="mt-0.5 text-[0.9375rem] text-ink-soft">
            {[tender.organization.name, tender.category && nameOf("category", tender.category, t)]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 sm:flex-col sm:items-end">
          <p className="text-[0.9375rem] font-medium whitespace-nowrap">
            <Closing at={closing} state={fieldState(tender, CLOSING)} />
          </p>
          <CountdownBadge closing={closing} />
        </div>
      </div>
      <div className="px-4 pb-3">
        <Opens plan={tender.locked.plan} words={words} />
      </div>
    </article>
  );
}
