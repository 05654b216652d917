// Whether the user's company may bid, in a list of tenders. It names the first thing that is missing or not
// certain, and says nothing where the notice does not say who may bid.

import { Check, CircleHelp, X } from "lucide-react";
import type { ListedBidAnswer, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { shortBidAnswer } from "@/shared/tender/bidAnswer.ts";
import { Badge } from "@/ui/Badge.tsx";

const looks = {
  "can-bid": { icon: Check, tone: "good" },
  missing: { icon: X, tone: "urgent" },
  "not-certain": { icon: CircleHelp, tone: "soon" },
} as const;

export function BidBadge({ tender, answer }: { tender: Tender; answer: ListedBidAnswer }) {
  const { t } = useTranslation();
  if (answer.answer === "not-stated") return null;
  return (
    <li>
      <Badge {...looks[answer.answer]}>{shortBidAnswer(tender, answer.answer, answer.first, t)}</Badge>
    </li>
  );
}
