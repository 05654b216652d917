// The status of a tender.

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
