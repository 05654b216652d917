// Whether the company may bid, for lists of tenders. It names the first thing that is missing or not certain.
// Where the notice does not say who may bid, that is no badge but a quiet note.

import { Check, CircleHelp, X } from "lucide-react";
import type { ListedBidAnswer } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Badge } from "@/ui/Badge.tsx";
import { type Asking, shortBidAnswer } from "./bidAnswer.ts";

const looks = {
  "can-bid": { icon: Check, tone: "good" },
  missing: { icon: X, tone: "urgent" },
  "not-certain": { icon: CircleHelp, tone: "soon" },
} as const;

export function AnswerBadge({
  tender,
  answer: { answer, first },
}: {
  tender: Asking;
  answer: ListedBidAnswer;
}) {
  const { t } = useTranslation();
  if (answer === "not-stated") {
    const isRegistration = tender.kind === "registration";
    return t(isRegistration ? "tenders.registration.whoNotStated" : "tenders.card.whoNotStated");
  }
  return (
    <Badge {...looks[answer]} wraps>
      {shortBidAnswer(tender, answer, first, t)}
    </Badge>
  );
}
