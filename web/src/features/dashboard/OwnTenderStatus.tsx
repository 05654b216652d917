// A badge with the status of a supplier's own tender. A published tender is shown as live or
// expired. A decision of the portal comes before the status.

import { CircleCheck, CircleX, Hourglass, ShieldX } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Badge } from "@/ui/Badge.tsx";
import { isLive } from "./ownTenderNeeds.ts";

export function OwnTenderStatus({
  status,
  isExpired,
  moderation,
}: Pick<Tender, "status" | "isExpired" | "moderation">) {
  const { t } = useTranslation();
  if (moderation?.takedown) {
    return (
      <Badge tone="urgent" icon={ShieldX}>
        {t("tenders.moderation.takenDown")}
      </Badge>
    );
  }
  if (moderation?.heldAt) {
    return (
      <Badge tone="soon" icon={Hourglass}>
        {t("tenders.moderation.held")}
      </Badge>
    );
  }
  if (moderation?.refusal) {
    return (
      <Badge tone="urgent" icon={CircleX}>
        {t("tenders.moderation.refused")}
      </Badge>
    );
  }
  const live = isLive({ status, isExpired });
  const key = live ? "live" : status === "published" ? "expired" : status;
  return (
    <Badge tone={live ? "good" : "quiet"} {...(live && { icon: CircleCheck })}>
      {t(`tenders.status.${key}`)}
    </Badge>
  );
}
