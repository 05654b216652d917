// Whether the user has a bid on the board or the company may bid, in a list of tenders. It names the first thing
// that is missing or not certain. Where the notice does not say who may bid, that is no badge but a quiet
// note.

import { useQuery } from "@tanstack/react-query";
import { Check, CircleHelp, Send, X } from "lucide-react";
import type { BidStage, ListedBidAnswer, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { bidBoard, isOpen } from "@/shared/bids.ts";
import { useAccount } from "@/shared/session/account.ts";
import { shortBidAnswer } from "@/shared/tender/bidAnswer.ts";
import { Badge } from "@/ui/Badge.tsx";

const looks = {
  "can-bid": { icon: Check, tone: "good" },
  missing: { icon: X, tone: "urgent" },
  "not-certain": { icon: CircleHelp, tone: "soon" },
} as const;

/** The stage of the user's bid for a tender; `null` without a bid. */
export function useBidStage(tenderId: string): BidStage | null {
  const { user } = useAccount();
  const { data = null } = useQuery({
    ...bidBoard,
    enabled: user !== null,
    select: ({ bids }) => bids.find(({ tender }) => tender._id === tenderId)?.stage ?? null,
  });
  return data;
}

export function BidBadge({
  tender,
  answer,
  stage,
}: {
  tender: Tender;
  answer: ListedBidAnswer | null | undefined;
  /** The stage of the user's bid. After its submission, nobody asks whether the company may bid. */
  stage: BidStage | null;
}) {
  const { t } = useTranslation();
  if (stage === "submitted") {
    return (
      <li>
        <Badge tone="calm" icon={Send}>
          {t("tenders.card.bidSubmitted")}
        </Badge>
      </li>
    );
  }
  return (
    <>
      {answer && <AnswerBadge tender={tender} answer={answer} />}
      {stage && isOpen(stage) && <li>{t("bids.onBoard", { stage: t(`bids.stage.${stage}`) })}</li>}
    </>
  );
}

/** Whether the company may bid. */
function AnswerBadge({ tender, answer }: { tender: Tender; answer: ListedBidAnswer }) {
  const { t } = useTranslation();
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
