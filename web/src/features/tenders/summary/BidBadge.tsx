// Whether the user has submitted a bid or the company may bid, in a list of tenders. It names the first thing
// that is missing or not certain. Where the notice does not say who may bid, that is no badge but a quiet
// note.

import { useQuery } from "@tanstack/react-query";
import { Check, CircleHelp, Send, X } from "lucide-react";
import type { ListedBidAnswer, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { bidBoard } from "@/shared/bids.ts";
import { useAccount } from "@/shared/session/account.ts";
import { shortBidAnswer } from "@/shared/tender/bidAnswer.ts";
import { Badge } from "@/ui/Badge.tsx";

const looks = {
  "can-bid": { icon: Check, tone: "good" },
  missing: { icon: X, tone: "urgent" },
  "not-certain": { icon: CircleHelp, tone: "soon" },
} as const;

/** Whether the user's board has a submitted bid for a tender. */
export function useHasSubmittedBid(tenderId: string): boolean {
  const { user } = useAccount();
  const { data = false } = useQuery({
    ...bidBoard,
    enabled: user !== null,
    select: ({ bids }) => bids.some(({ stage, tender }) => stage === "submitted" && tender._id === tenderId),
  });
  return data;
}

export function BidBadge({
  tender,
  answer,
  isSubmitted,
}: {
  tender: Tender;
  answer: ListedBidAnswer | null | undefined;
  /** Whether the user has submitted a bid, after which nobody asks whether the company may bid. */
  isSubmitted: boolean;
}) {
  const { t } = useTranslation();
  if (isSubmitted) {
    return (
      <li>
        <Badge tone="calm" icon={Send}>
          {t("tenders.card.bidSubmitted")}
        </Badge>
      </li>
    );
  }
  if (!answer) return null;
  if (answer.answer === "not-stated") {
    const isRegistration = tender.kind === "registration";
    return <li>{t(isRegistration ? "tenders.registration.whoNotStated" : "tenders.card.whoNotStated")}</li>;
  }
  return (
    <li>
      <Badge {...looks[answer.answer]}>{shortBidAnswer(tender, answer.answer, answer.first, t)}</Badge>
    </li>
  );
}
