// A tender's status: published is green, everything else a quiet word.

import { CircleCheck } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Badge } from "@/ui/Badge.tsx";

export function StatusBadge({ status }: { status: Tender["status"] }) {
  const { t } = useTranslation();
  const published = status === "published";
  return (
    <Badge tone={published ? "good" : "quiet"} {...(published && { icon: CircleCheck })}>
      {t(`tenders.status.${status}`)}
    </Badge>
  );
}

/** The supplier's own view of it: Live, Draft, Expired, or the status itself. */
export function OwnerStatusBadge({ status, isExpired }: Pick<Tender, "status" | "isExpired">) {
  const { t } = useTranslation();
  const live = status === "published" && !isExpired;
  const key = live ? "live" : status === "published" ? "expired" : status;
  return (
    <Badge tone={live ? "good" : "quiet"} {...(live && { icon: CircleCheck })}>
      {t(`tenders.status.${key}`)}
    </Badge>
  );
}
