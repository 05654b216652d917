// What the portal decided about a tender, for its publisher and for administrators: it waits for a
// check, was not published, or was taken down.

import { CircleX, Hourglass, type LucideIcon, ShieldX } from "lucide-react";
import type { ReactNode } from "react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";

function Notice({
  icon: Icon,
  tone,
  title,
  children,
}: {
  icon: LucideIcon;
  tone: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <div className={`flex items-start gap-3 rounded-lg px-4 py-3 text-[0.9375rem] ${tone}`}>
      <Icon size={18} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 break-words">
        <p className="font-semibold">{title}</p>
        <div className="text-ink">{children}</div>
      </div>
    </div>
  );
}

export function ModerationNotice({ tender, isOwn }: { tender: Pick<Tender, "moderation">; isOwn: boolean }) {
  const { t } = useTranslation();
  const { heldAt, refusal, takedown } = tender.moderation ?? {};
  if (takedown) {
    const { reason, at } = takedown;
    return (
      <Notice icon={ShieldX} tone="bg-urgent-wash text-urgent" title={t("tenders.moderation.takenDown")}>
        <p>{t("tenders.moderation.takenDownText", { reason, date: formatDay(at) })}</p>
        <p className="mt-1 text-ink-soft">
          {t(isOwn ? "tenders.moderation.takenDownNext" : "tenders.moderation.takenDownForAdmin")}
        </p>
      </Notice>
    );
  }
  if (heldAt) {
    return (
      <Notice icon={Hourglass} tone="bg-soon-wash text-soon" title={t("tenders.moderation.held")}>
        {isOwn && <p>{t("tenders.moderation.heldText")}</p>}
      </Notice>
    );
  }
  if (refusal) {
    return (
      <Notice icon={CircleX} tone="bg-urgent-wash text-urgent" title={t("tenders.moderation.refused")}>
        <p>{t("tenders.moderation.refusedText", { reason: refusal.reason })}</p>
        {isOwn && <p className="mt-1 text-ink-soft">{t("tenders.moderation.refusedNext")}</p>}
      </Notice>
    );
  }
  return null;
}
