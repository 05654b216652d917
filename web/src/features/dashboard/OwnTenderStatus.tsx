// A badge with the status of a supplier's own tender. A published tender is shown as live or
// expired.

import { CircleCheck } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Badge } from "@/ui/Badge.tsx";

export function OwnTenderStatus({ status, isExpired }: Pick<Tender, "status" | "isExpired">) {
  const { t } = useTranslation();
  const live = status === "published" && !isExpired;
  const key = live ? "live" : status === "published" ? "expired" : status;
  return (
    <Badge tone={live ? "good" : "quiet"} {...(live && { icon: CircleCheck })}>
      {t(`tenders.status.${key}`)}
    </Badge>
  );
}
