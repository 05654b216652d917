// What comes after the delivery of a bid: the opening, the decision of the buyer, and the return of the bid
// security. The user says here how the bid ended.

import { CircleCheck, CircleDot } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { BidDetails, Deadline } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { formatClosing, formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { endOf } from "@/shared/tender/countdown.ts";
import { Button } from "@/ui/Button.tsx";
import { useBidAction } from "./api.ts";
import { submissionOf } from "./submission.ts";

function Step({
  title,
  isPast = false,
  children,
}: {
  title: string;
  isPast?: boolean;
  children?: ReactNode;
}) {
  const Icon = isPast ? CircleCheck : CircleDot;
  return (
    <li className={`flex gap-3 ${isPast ? "text-ink-soft" : ""}`}>
      <Icon size={18} aria-hidden className={`mt-0.5 shrink-0 ${isPast ? "" : "text-accent"}`} />
      <div className="grid min-w-0 gap-1">
        <p className={isPast ? "" : "font-semibold"}>{title}</p>
        {children && <div className="text-[0.9375rem]">{children}</div>}
      </div>
    </li>
  );
}

/** Takes the bid to the stage in which it ended. Before bids are opened, nobody has won or lost. */
function Decision({ details: { bid, deadlines } }: { details: BidDetails }) {
  const { t } = useTranslation();
  const action = useBidAction(bid._id);
  const now = useNow();
  const end = endOf(bid.tender.status);
  const opening = deadlines.find(({ kind, at }) => kind === "opening" && at !== null)?.at;
  const from = opening ?? bid.tender.closing;
  if (!end && from && Date.parse(from) > now) {
    return <Step title={t("bids.toDo.decision")}>{t("bids.toDo.decisionLater")}</Step>;
  }
  return (
    <Step title={t(end ? `bids.toDo.${end}` : "bids.toDo.decision")}>
      <p>{t("bids.toDo.decisionText")}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {(["won", "lost"] as const).map((stage) => (
          <Button
            key={stage}
            variant="outlined"
            size="small"
            disabled={action.isPending}
            onClick={() => action.mutate({ kind: "place", version: bid.version, stage, before: null })}
          >
            {t(`bids.stage.${stage}`)}
          </Button>
        ))}
      </div>
    </Step>
  );
}

/** When and by whom the bid was marked as submitted, which its history knows. */
function Submitted({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const event = submissionOf(details);
  if (!event) return null;
  const name = event.actor?.name ?? t("bids.deletedUser");
  return (
    <Step title={t("bids.stage.submitted")} isPast>
      {t("bids.toDo.submittedBy", { moment: formatMoment(event.at), name })}
    </Step>
  );
}

/** A deadline with its moment, or that the notice does not state it. */
function DeadlineStep({ details, kind }: { details: BidDetails; kind: Deadline["kind"] }) {
  const { t } = useTranslation();
  const now = useNow();
  const at = details.deadlines.find((deadline) => deadline.kind === kind)?.at ?? null;
  const isPast = at !== null && Date.parse(at) < now;
  return (
    <Step title={t(`bids.deadline.kind.${kind}`)} isPast={isPast}>
      {at === null ? (
        t(`bids.deadline.notStated.${details.bid.tender.publishedBy}`)
      ) : (
        <>
          <time dateTime={at}>{kind === "closing" ? formatClosing(at) : formatMoment(at)}</time>
          {isPast && ` (${t("bids.deadline.past")})`}
        </>
      )}
    </Step>
  );
}

/** What becomes of the bid security, if the notice asks for one. */
function Security({ details, isReturned }: { details: BidDetails; isReturned: boolean }) {
  const { t } = useTranslation();
  const isAsked = details.checklist?.some(
    ({ derived }) =>
      (derived?.kind === "bid-security" || derived?.kind === "lot-security") &&
      derived.basis !== "not-stated",
  );
  const expiry = details.deadlines.find(({ kind }) => kind === "bond-expiry")?.at ?? null;
  if (!isAsked && expiry === null) return null;
  if (isReturned) return <Step title={t("bids.toDo.security")}>{t("bids.toDo.securityBack")}</Step>;
  if (expiry !== null) return <DeadlineStep details={details} kind="bond-expiry" />;
  return (
    <Step title={t("bids.toDo.security")}>
      {t(`bids.toDo.securityHeld.${details.bid.tender.publishedBy}`)}
    </Step>
  );
}

/** The steps that follow the delivery or the decision; nothing for a bid that is still in work. */
export function NextSteps({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const { stage } = details.bid;
  if (stage === "considering" || stage === "preparing") return null;
  if (stage === "dropped") return <p className="text-ink-soft">{t("bids.toDo.dropped")}</p>;
  return (
    <ol className="grid gap-4">
      {stage === "submitted" && (
        <>
          <Submitted details={details} />
          <DeadlineStep details={details} kind="closing" />
          <DeadlineStep details={details} kind="opening" />
          <Decision details={details} />
        </>
      )}
      {stage === "won" && <Step title={t("bids.toDo.contract")}>{t("bids.toDo.contractText")}</Step>}
      {stage === "lost" && (
        <Step title={t("bids.toDo.winner")}>
          <Link to={paths.awards} className="font-semibold text-accent hover:underline">
            {t("bids.toDo.winnerLink")}
          </Link>
        </Step>
      )}
      <Security details={details} isReturned={stage !== "submitted"} />
    </ol>
  );
}
