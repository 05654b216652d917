// The page of a bid: its tender, its closing and what is to be done next. Files, notes, reminders and the
// history are lines that open.

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, FileDown, FileText } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { ApiError, messageOf } from "@/api/error.ts";
import type { BidDetails, BidStage } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { bidDetails } from "@/shared/bids.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { useDeleteBid, useEvidence } from "./api.ts";
import { ClosingFact } from "./BidFacts.tsx";
import { BidForm, StageSelect } from "./BidForm.tsx";
import { BidHistory } from "./BidHistory.tsx";
import { Deadlines } from "./Deadlines.tsx";
import { Files } from "./Files.tsx";
import { MayBid } from "./MayBid.tsx";
import { Notes } from "./Notes.tsx";
import { Reminders } from "./Reminders.tsx";
import { ToDoList, toDoHeading } from "./ToDoList.tsx";

/** Removes the bid from the board, after the user has confirmed it. */
function DeleteBid({ id }: { id: string }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useDeleteBid(id);
  return (
    <>
      <Button variant="plain" size="small" onClick={() => setAsking(true)}>
        {t("bids.delete")}
      </Button>
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t("bids.deleteTitle")}
        actions={
          <>
            <Button variant="outlined" onClick={() => setAsking(false)}>
              {t("bids.keep")}
            </Button>
            <Button
              variant="danger"
              disabled={remove.isPending}
              onClick={() => remove.mutate(undefined, { onSuccess: () => void navigate(paths.bids) })}
            >
              {t("bids.delete")}
            </Button>
          </>
        }
      >
        <p>{t("bids.deleteText")}</p>
      </Dialog>
    </>
  );
}

/** Downloads the evidence pack. */
function EvidenceButton({ id }: { id: string }) {
  const { t } = useTranslation();
  const download = useEvidence(id);
  return (
    <Button variant="outlined" size="small" disabled={download.isPending} onClick={() => download.mutate()}>
      <FileDown size={16} aria-hidden />
      {t("bids.evidence")}
    </Button>
  );
}

function Head({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const { tender } = details.bid;
  return (
    <div className="mb-6">
      <Link
        to={paths.bids}
        className="inline-flex min-h-11 items-center gap-1.5 font-medium text-accent hover:underline"
      >
        <ArrowLeft size={16} aria-hidden />
        {t("bids.title")}
      </Link>
      <h1 className="mt-1 max-w-[60ch] text-2xl font-bold tracking-tight wrap-anywhere">
        <PrintedTitle printed={tender.title} />
      </h1>
      <p className="mt-1 text-ink-soft wrap-anywhere">
        <PrintedTitle printed={tender.organization} />
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
        {tender.closing && <span>{t("bids.deadline.kind.closing")}</span>}
        <ClosingFact tender={tender} stage={details.bid.stage} />
      </div>
      <MayBid details={details} />
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <StageSelect details={details} />
        {tender.status !== "withdrawn" && (
          <ButtonLink to={paths.tender(tender._id)} variant="outlined" size="small">
            <FileText size={16} aria-hidden />
            {t("bids.openTender")}
          </ButtonLink>
        )}
        {!tender.isLocked && <EvidenceButton id={details.bid._id} />}
      </div>
    </div>
  );
}

/** The ids of the parts of the page. */
const PARTS = {
  toDo: "to-do",
  deadlines: "deadlines",
  state: "state",
  files: "files",
  notes: "notes",
  reminders: "reminders",
  history: "history",
} as const;

/** Links to the parts of the page, for a narrow window. They stay in view below the page's header. */
function PartLinks({ stage }: { stage: BidStage }) {
  const { t } = useTranslation();
  const links = [
    [PARTS.toDo, t(toDoHeading(stage))],
    [PARTS.deadlines, t("bids.deadline.heading")],
    [PARTS.state, t("bids.state")],
    [PARTS.files, t("bids.file.heading")],
    [PARTS.notes, t("bids.note.heading")],
    [PARTS.reminders, t("bids.reminders.heading")],
    [PARTS.history, t("bids.history")],
  ] as const;
  return (
    <nav
      aria-label={t("bids.toDo.parts")}
      className="sticky top-(--header) z-10 -mx-4 mb-4 overflow-x-auto border-b border-line bg-paper px-4 lg:hidden"
    >
      <ul className="flex w-max gap-1">
        {links.map(([part, label]) => (
          <li key={part}>
            <a
              href={`#${part}`}
              className="inline-flex min-h-11 items-center rounded-md px-2.5 text-[0.9375rem] font-semibold whitespace-nowrap text-accent -outline-offset-2 hover:bg-accent-wash"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function BidView({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data: details, error, refetch } = useQuery(bidDetails(id));
  if (details) {
    return (
      <Page className="py-6">
        <Head details={details} />
        <PartLinks stage={details.bid.stage} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <ToDoList key={id} details={details} anchor={PARTS.toDo} />
          <div className="grid gap-5">
            <Deadlines details={details} anchor={PARTS.deadlines} />
            <BidForm details={details} anchor={PARTS.state} />
            <div className="divide-y divide-line rounded-2xl border border-line bg-sheet">
              <Files details={details} anchor={PARTS.files} />
              <Notes details={details} anchor={PARTS.notes} />
              <Reminders details={details} anchor={PARTS.reminders} />
              <BidHistory details={details} anchor={PARTS.history} />
            </div>
            <div>
              <DeleteBid id={id} />
            </div>
          </div>
        </div>
      </Page>
    );
  }
  if (!error) return <LoadingScreen label={t("shell.loading")} />;
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 422);
  return (
    <Page className="py-10">
      <h1 className="mb-4 text-2xl font-bold tracking-tight">{t("bids.title")}</h1>
      <ErrorBanner
        title={isGone ? t("bids.gone") : messageOf(error, t("bids.loadFailed"))}
        action={
          isGone ? (
            <ButtonLink to={paths.bids} variant="outlined" size="small">
              {t("bids.toBoard")}
            </ButtonLink>
          ) : (
            <Button variant="outlined" size="small" onClick={() => void refetch()}>
              {t("shell.tryAgain")}
            </Button>
          )
        }
      >
        {!isGone && <RequestId error={error} />}
      </ErrorBanner>
    </Page>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  return (
    <>
      <Metadata
        title={t("bids.title")}
        description={t("bids.description")}
        keywords={t("tenders.keywords")}
        unlisted
      />
      <Protected>{() => <BidView id={id} />}</Protected>
    </>
  );
}
