// The answer to "May I bid?" in the head of a bid's page, in the words of its tender's page.

import { Check, CircleHelp, type LucideIcon, Minus, X } from "lucide-react";
import { Link } from "react-router";
import type { BidAnswer, BidDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { paths } from "@/shared/paths.ts";
import { answerWithDocuments, BIDDING_ID, fullBidAnswer } from "@/shared/tender/bidAnswer.ts";
import { hasDocuments } from "./documentSale.ts";

const looks: Record<BidAnswer, { icon: LucideIcon; style: string }> = {
  "can-bid": { icon: Check, style: "text-good" },
  missing: { icon: X, style: "text-urgent" },
  "not-certain": { icon: CircleHelp, style: "text-soon" },
  "not-stated": { icon: Minus, style: "text-ink-soft" },
};

/** The answer; nothing for a bid that can't be delivered any more. */
export function MayBid({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const now = useNow();
  const { notice, bid } = details;
  const { closing, status } = bid.tender;
  const takesBids = status === "published" && (closing === null || Date.parse(closing) >= now);
  if (!notice?.bidding || !takesBids) return null;
  const { answer, requirements } = hasDocuments(details)
    ? answerWithDocuments(notice.bidding)
    : notice.bidding;
  const { icon: Icon, style } = answer ? looks[answer] : looks["not-stated"];
  return (
    <p className="mt-2 flex items-start gap-1.5 text-[0.9375rem] wrap-anywhere">
      <Icon size={18} aria-hidden className={`mt-0.5 shrink-0 ${style}`} />
      <span className="min-w-0">
        <span className="text-ink-soft">{t("tenders.bidding.title")}</span>{" "}
        <Link
          to={answer ? `${paths.tender(bid.tender._id)}#${BIDDING_ID}` : paths.accountCompany}
          className={`font-semibold underline underline-offset-2 ${answer ? style : "text-accent"}`}
        >
          {answer ? fullBidAnswer(notice, answer, requirements, t) : t("tenders.head.enterProfile")}
        </Link>
      </span>
    </p>
  );
}
