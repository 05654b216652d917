// What is locked to this reader: what may be known of it, and what opens it.

import { Lock } from "lucide-react";
import { useId } from "react";
import type { LockedTender } from "@/api/types.ts";
import { paths } from "@/app/paths.ts";
import { useTranslation } from "@/locales/i18n.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { CountdownBadge } from "./CountdownBadge.tsx";
import { formatMoment } from "./dates.ts";
import { nameOf } from "./names.ts";
import { TitleLink } from "./TitleLink.tsx";

const PLANS = ["basic", "professional", "enterprise"] as const;

/** Why it is locked, and the one step that opens it. */
export function Opens({ plan, words }: { plan: string; words: string }) {
  const { t } = useTranslation();
  const known = PLANS.find((name) => name === plan);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-well px-4 py-3">
      <Lock size={18} aria-hidden className="shrink-0 text-ink-soft" />
      <p className="min-w-48 flex-1 text-[0.9375rem]">
        {words}
        {known && (
          <>
            {" "}
            <strong className="font-semibold">
              {t("tenders.locked.included", { plan: t(`tenders.locked.plan.${known}`) })}
            </strong>
          </>
        )}
      </p>
      {known && (
        <ButtonLink to={paths.pricing} look="outlined" size="small">
          {t("plans.view")}
        </ButtonLink>
      )}
      {plan === "free" && (
        <ButtonLink to={paths.register} size="small">
          {t("tenders.locked.signUp")}
        </ButtonLink>
      )}
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
            {closing ? formatMoment(closing) : t("tenders.card.noClosing")}
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
