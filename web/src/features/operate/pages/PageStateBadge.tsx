// The state of a newspaper page, and what was found on it.

import { CircleCheck, Clock, LoaderCircle, type LucideIcon, RotateCw, TriangleAlert } from "lucide-react";
import type { NewspaperPage, PageState } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Badge, type Tone } from "@/ui/Badge.tsx";

const looks: Record<PageState, { tone: Tone; icon: LucideIcon }> = {
  waiting: { tone: "calm", icon: Clock },
  leased: { tone: "accent", icon: LoaderCircle },
  read: { tone: "good", icon: CircleCheck },
  failed: { tone: "soon", icon: RotateCw },
  "set-aside": { tone: "urgent", icon: TriangleAlert },
};

export function PageStateBadge({ state }: { state: PageState }) {
  const { t } = useTranslation();
  const { tone, icon } = looks[state];
  return (
    <Badge tone={tone} icon={icon}>
      {t(`operate.pages.state.${state}`)}
    </Badge>
  );
}

/** What is known about the page: the worker that reads it, what was found, or why it failed. */
export function PageProgress({ page }: { page: NewspaperPage }) {
  const { t } = useTranslation();
  const { state, counts, failure, attempts, worker } = page;
  const found = [
    t("operate.pages.notices", { count: counts.tender + counts.doubtful }),
    counts.doubtful > 0 && t("operate.pages.doubtful", { count: counts.doubtful }),
    counts.waits > 0 && t("operate.pages.waits", { count: counts.waits }),
    counts.refused > 0 && t("operate.pages.refused", { count: counts.refused }),
    counts.rejected > 0 && t("operate.pages.rejected", { count: counts.rejected }),
  ].filter(Boolean);
  return (
    <>
      {state === "leased" && worker && <p>{t("operate.pages.readBy", { worker })}</p>}
      {(state === "read" || page.readAt) && <p>{found.join(" · ")}</p>}
      {failure && (
        <p className={`wrap-anywhere ${state === "set-aside" ? "text-urgent" : ""}`}>
          {t("operate.pages.failure", { count: attempts, failure })}
        </p>
      )}
    </>
  );
}
