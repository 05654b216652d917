// Labels a notice by which an organisation sells something instead of buying it.

import { Tag } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Badge } from "@/ui/Badge.tsx";

export function SaleBadge({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  if (tender.kind !== "sale") return null;
  return (
    <Badge tone="accent" icon={Tag} wraps>
      {t("tenders.kind.sale")}
    </Badge>
  );
}
