// The button "I intend to bid" of an open tender, and the link to its bid on the user's board. A sale has
// no button. Guests get a link to sign in instead.

import { Check, HandCoins } from "lucide-react";
import { useTranslation } from "@/i18n/i18n.ts";
import { isInWork } from "@/shared/bids.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import type { DetailedTender } from "@/shared/tender/tenderQueries.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { useIntentionToBid } from "../api.ts";

/** The link to the bid for a tender. If the board has no room for the tender, it links to the board. */
function BoardLink({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const { bid, intends } = tender;
  if (!bid && !intends) return null;
  return (
    <ButtonLink
      to={bid ? paths.bid(bid._id) : paths.bids}
      variant="plain"
      size="small"
      className="max-w-full print:hidden"
    >
      <span className="truncate">
        {bid ? t("bids.onBoard", { stage: t(`bids.stage.${bid.stage}`) }) : t("bids.boardFull")}
      </span>
    </ButtonLink>
  );
}

export function IntendToBid({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const intention = useIntentionToBid(tender._id);
  const isRegistration = tender.kind === "registration";
  if (status === "loading") return null;
  // Who answers a sale makes an offer to buy. The board is for bids to supply. Who has submitted a bid
  // no longer only intends to.
  const stage = tender.bid?.stage;
  const isSubmitted = stage && stage !== "dropped" && !isInWork(stage);
  if (tender.status !== "published" || tender.isExpired || tender.kind === "sale" || isSubmitted) {
    return tender.bid ? <BoardLink tender={tender} /> : null;
  }
  if (status === "guest") {
    return (
      <ButtonLink
        to={`${paths.login}?redirect=${encodeURIComponent(paths.tender(tender._id))}`}
        variant="outlined"
        size="small"
        className="print:hidden"
      >
        <HandCoins size={17} aria-hidden />
        {t(isRegistration ? "tenders.registration.signIn" : "tenders.intend.signIn")}
      </ButtonLink>
    );
  }
  const { intends } = tender;
  return (
    <>
      <Button
        variant={intends ? "filled" : "outlined"}
        size="small"
        aria-pressed={intends}
        disabled={intention.isPending}
        onClick={() => intention.mutate(!intends)}
        className="print:hidden"
      >
        {intends ? <Check size={17} aria-hidden /> : <HandCoins size={17} aria-hidden />}
        {t(isRegistration ? "tenders.registration.intend" : "tenders.intend.button")}
      </Button>
      {!intention.isPending && <BoardLink tender={tender} />}
    </>
  );
}
