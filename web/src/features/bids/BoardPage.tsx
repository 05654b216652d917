// The bid board of the user or the user's team.

import { useQuery } from "@tanstack/react-query";
import { CalendarDays, HandCoins } from "lucide-react";
import { useSearchParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { BidBoard } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { bidBoard, isOpen } from "@/shared/bids.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { AddBid } from "./AddBid.tsx";
import { Board } from "./Board.tsx";

/** How many bids are open, and how many may be. */
function Quota({ board, quota }: { board: BidBoard; quota: number }) {
  const { t } = useTranslation();
  const used = board.bids.filter((bid) => isOpen(bid.stage)).length;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
      {t("bids.used", { used, quota })}
      <ButtonLink to={paths.pricing} variant="plain" size="small">
        {t("plans.view")}
      </ButtonLink>
    </p>
  );
}

function BoardView() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const added = parameters.get("add");
  const { data: board, error, refetch } = useQuery(bidBoard);
  return (
    <Page wide className="py-8">
      <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">{t("bids.title")}</h1>
          {board && (
            <p className="mt-1 text-ink-soft">
              {board.isShared && board.people.length > 1
                ? t("bids.sharedBy", { count: board.people.length })
                : t("bids.subtitle")}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {board && board.quota !== null && <Quota board={board} quota={board.quota} />}
          <ButtonLink to={paths.bidCalendar} variant="outlined" size="small">
            <CalendarDays size={16} aria-hidden />
            {t("bids.calendar.title")}
          </ButtonLink>
        </div>
      </div>
      {added && <AddBid tenderId={added} />}
      {!board && !error && <LoadingScreen label={t("shell.loading")} />}
      {!board && error && (
        <ErrorBanner
          title={messageOf(error, t("bids.loadFailed"))}
          action={
            <Button variant="outlined" size="small" onClick={() => void refetch()}>
              {t("shell.tryAgain")}
            </Button>
          }
        >
          <RequestId error={error} />
        </ErrorBanner>
      )}
      {board && board.bids.length === 0 && (
        <EmptyState
          icon={<HandCoins size={22} />}
          title={t("bids.empty")}
          action={<ButtonLink to={paths.tenders}>{t("bids.browse")}</ButtonLink>}
        >
          <ol className="mt-2 grid max-w-[48ch] list-decimal gap-1.5 pl-5 text-left">
            {(["find", "decide", "work"] as const).map((step) => (
              <li key={step}>{t(`bids.emptySteps.${step}`)}</li>
            ))}
          </ol>
        </EmptyState>
      )}
      {board && board.bids.length > 0 && <Board board={board} />}
    </Page>
  );
}

export function Component() {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("bids.title")}
        description={t("bids.description")}
        keywords={t("tenders.keywords")}
        unlisted
      />
      <Protected>{() => <BoardView />}</Protected>
    </>
  );
}
