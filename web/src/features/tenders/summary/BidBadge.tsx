// Whether the user has a bid on the board or the company may bid, in a list of tenders.

import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import type { BidStage, ListedBidAnswer, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { bidBoard, isOpen } from "@/shared/bids.ts";
import { useAccount } from "@/shared/session/account.ts";
import { AnswerBadge } from "@/shared/tender/AnswerBadge.tsx";
import { Badge } from "@/ui/Badge.tsx";

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
      {answer && (
        <li>
          <AnswerBadge tender={tender} answer={answer} />
        </li>
      )}
      {stage && isOpen(stage) && <li>{t("bids.onBoard", { stage: t(`bids.stage.${stage}`) })}</li>}
    </>
  );
}
