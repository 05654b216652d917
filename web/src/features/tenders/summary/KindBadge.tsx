// Labels a notice that invites no bids for a purchase.

import { ClipboardPen, MessageSquareText } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Badge } from "@/ui/Badge.tsx";
import { SaleBadge } from "./SaleBadge.tsx";

const icons = { "expression-of-interest": MessageSquareText, registration: ClipboardPen };

/** The badge of a sale, a registration of suppliers or a call for expressions of interest. */
export function KindBadge({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  const { kind } = tender;
  if (kind === "sale") return <SaleBadge tender={tender} />;
  if (kind !== "expression-of-interest" && kind !== "registration") return null;
  return (
    <Badge tone="accent" icon={icons[kind]} wraps>
      {t(`tenders.kind.${kind}`)}
    </Badge>
  );
}
