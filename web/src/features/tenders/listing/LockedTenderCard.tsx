// The card of a tender that is locked for the user, with the ways to unlock it.

import { type ReactNode, useId } from "react";
import { PLAN_NAMES, parseEnum } from "@/api/enums.ts";
import type { LockedTender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { UpgradePrompt } from "@/shared/plans/UpgradePrompt.tsx";
import { CountdownBadge } from "@/shared/tender/CountdownBadge.tsx";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { CLOSING_PATH, fieldState } from "@/shared/tender/fieldStates.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { isSpecific } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { ClosingTime } from "../summary/ClosingTime.tsx";
import { TitleLink } from "./TitleLink.tsx";

export function LockedTenderCard({
  tender,
  closingNote,
}: {
  tender: LockedTender;
  /** A note below the closing time. */
  closingNote?: ReactNode;
}) {
  const { t } = useTranslation();
  const id = useId();
  const { closing } = tender.dates;
  const closingState = fieldState(tender, CLOSING_PATH);
  const text =
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
            <TitleLink id={tender._id}>
              <PrintedTitle printed={tender.title} />
            </TitleLink>
          </h2>
          <p className="mt-0.5 text-[0.9375rem] text-ink-soft">
            {[
              displayTitle(tender.organization.name),
              isSpecific(tender.category) && vocabularyName("category", tender.category, t),
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 sm:flex-col sm:items-end">
          <p className="text-[0.9375rem] font-medium sm:whitespace-nowrap">
            <ClosingTime at={closing} state={closingState} />
          </p>
          <CountdownBadge closing={closing} isCertain={closingState === "certain"} />
          {closingNote}
        </div>
      </div>
      <div className="px-4 pb-3">
        <UpgradePrompt plan={parseEnum(PLAN_NAMES, tender.locked.plan)} text={text} />
      </div>
    </article>
  );
}
