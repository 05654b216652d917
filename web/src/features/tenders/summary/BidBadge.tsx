// Whether the user's company may bid, in a list of tenders. It says nothing where the notice states no
// requirement.

import { Check, CircleHelp, X } from "lucide-react";
import type { BidAnswer } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Badge } from "@/ui/Badge.tsx";

const looks = {
  "can-bid": { icon: Check, tone: "good" },
  missing: { icon: X, tone: "urgent" },
  "not-certain": { icon: CircleHelp, tone: "soon" },
} as const;

export function BidBadge({ answer }: { answer: BidAnswer }) {
  const { t } = useTranslation();
  if (answer === "not-stated") return null;
  return (
    <li>
      <Badge {...looks[answer]}>{t(`tenders.bidding.badge.${answer}`)}</Badge>
    </li>
  );
}
