// The lists of the start page: what closes soon, the new matches of the user's alerts, and the saved
// tenders. A list that the plan does not include is a line that says what the plan would give.

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Bookmark, ClipboardList } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { type Bid, type BidStage, isLocked, type LockedTender, type Tender, type User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { bidBoard } from "@/shared/bids.ts";
import { useNow } from "@/shared/clock.ts";
import { paths } from "@/shared/paths.ts";
import { canSaveTenders, hasAlerts } from "@/shared/session/planAccess.ts";
import { ClosedDays } from "@/shared/tender/ClosedDays.tsx";
import { TenderRow } from "@/shared/tender/TenderRow.tsx";
import { newestSaved, nextClosings, recentMatches } from "./api.ts";
import { type Closing, chooseClosings } from "./closings.ts";

const SHOWN_SAVED = 4;

/** What a row shows of a listed tender. */
function rowOf(tender: Tender | LockedTender) {
  const { _id, title, dates } = tender;
  const common = {
    _id,
    title,
    closing: dates?.closing ?? null,
    organization: tender.organization?.name ?? "",
  };
  if (isLocked(tender)) return { ...common, language: null };
  return {
    ...common,
    language: tender.language ?? null,
    location: tender.location ?? {},
    publishedBy: tender.publishedBy,
  };
}

function isClosingCertain({ fieldStates }: Pick<Tender, "fieldStates">): boolean {
  return fieldStates?.["dates.closing"] === undefined;
}

interface SectionProps {
  title: string;
  /** The link to the whole list. */
  more?: { to: string; text: string };
  children: ReactNode;
}

function Section({ title, more, children }: SectionProps) {
  return (
    <section className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg font-semibold">{title}</h2>
        {more && (
          <Link to={more.to} className="text-[0.9375rem] font-semibold text-accent hover:underline">
            {more.text}
          </Link>
        )}
      </div>
      <div className="mt-2 border-y border-line">{children}</div>
    </section>
  );
}

/** A line in place of a list. */
function Note({ children }: { children: ReactNode }) {
  return <p className="py-3 text-[0.9375rem] text-ink-soft">{children}</p>;
}

/** Says what a plan would give. */
function PlanNote({ children }: { children: string }) {
  const { t } = useTranslation();
  return (
    <Note>
      {children}{" "}
      <Link to={paths.pricing} className="font-semibold text-accent hover:underline">
        {t("account.dashboard.start.plans")}
      </Link>
    </Note>
  );
}

/** The rows of a list, or a line if it is empty or has failed. Nothing shows while it loads. */
function Rows<Item>({
  query,
  items,
  empty,
  children,
}: {
  query: Pick<UseQueryResult, "isPending" | "data">;
  items: readonly Item[];
  empty: string;
  children: (item: Item) => ReactNode;
}) {
  const { t } = useTranslation();
  if (query.isPending) return <div className="skeleton my-3 h-16" />;
  if (query.data === undefined) return <Note>{t("account.dashboard.start.failed")}</Note>;
  if (items.length === 0) return <Note>{empty}</Note>;
  return <ul className="divide-y divide-line">{items.map(children)}</ul>;
}

/** Says that a tender is on the board, with a link to its bid if it is in work. */
function BoardNote({ stage, bidId }: { stage: BidStage; bidId?: string }) {
  const { t } = useTranslation();
  const text = t("bids.onBoard", { stage: t(`bids.stage.${stage}`) });
  return (
    <p className="flex items-center gap-1.5 text-sm font-medium text-accent">
      <ClipboardList size={14} aria-hidden className="shrink-0" />
      {bidId ? (
        <Link to={paths.bid(bidId)} className="underline underline-offset-2">
          {text}
        </Link>
      ) : (
        text
      )}
    </p>
  );
}

function BidRow({ bid: { _id, stage, tender } }: { bid: Bid }) {
  const row = { ...tender, language: null };
  return (
    <TenderRow
      tender={row}
      isClosingCertain={!tender.isClosingDoubtful}
      closingNote={<ClosedDays closing={tender.closing} />}
    >
      <BoardNote stage={stage} bidId={_id} />
    </TenderRow>
  );
}

function ClosingSoon({ user }: { user: User }) {
  const { t } = useTranslation();
  const now = useNow();
  const next = useQuery(nextClosings);
  const { data: saved = [] } = useQuery({ ...newestSaved, enabled: canSaveTenders(user) });
  const { data: board } = useQuery(bidBoard);
  const closings = chooseClosings(board?.bids ?? [], saved, next.data ?? [], now);
  return (
    <Section
      title={t("account.dashboard.start.closing")}
      more={{ to: `${paths.tenders}?show=live&sort=closing`, text: t("account.dashboard.start.allClosing") }}
    >
      <Rows<Closing> query={next} items={closings} empty={t("account.dashboard.start.noClosing")}>
        {(closing) => {
          if (closing.kind === "bid") return <BidRow key={closing.bid._id} bid={closing.bid} />;
          const { tender, isSaved, stage } = closing;
          return (
            <TenderRow
              key={tender._id}
              tender={rowOf(tender)}
              isClosingCertain={isClosingCertain(tender)}
              closingNote={<ClosedDays closing={tender.dates?.closing} />}
            >
              {isSaved && (
                <p className="flex items-center gap-1.5 text-sm font-medium text-accent">
                  <Bookmark size={14} aria-hidden />
                  {t("shell.nav.saved")}
                </p>
              )}
              {stage && <BoardNote stage={stage} />}
            </TenderRow>
          );
        }}
      </Rows>
    </Section>
  );
}

function NewMatches({ user }: { user: User }) {
  const { t } = useTranslation();
  const permitted = hasAlerts(user);
  const query = useQuery({ ...recentMatches, enabled: permitted });
  const title = t("account.dashboard.start.matches");
  if (!permitted) {
    return (
      <Section title={title}>
        <PlanNote>{t("account.dashboard.start.noAlertsPlan")}</PlanNote>
      </Section>
    );
  }
  return (
    <Section title={title} more={{ to: paths.alerts, text: t("account.dashboard.start.allAlerts") }}>
      <Rows query={query} items={query.data ?? []} empty={t("account.dashboard.start.noMatches")}>
        {(match) => (
          <TenderRow
            key={match._id}
            tender={match}
            isClosingCertain={isClosingCertain(match)}
            closingNote={<ClosedDays closing={match.closing} />}
          >
            <p className="text-sm break-words text-ink-soft">
              {t("account.dashboard.start.match", { alert: match.alertName })}
            </p>
          </TenderRow>
        )}
      </Rows>
    </Section>
  );
}

function SavedTenders({ user }: { user: User }) {
  const { t } = useTranslation();
  const permitted = canSaveTenders(user);
  const query = useQuery({ ...newestSaved, enabled: permitted });
  const title = t("account.dashboard.start.saved");
  if (!permitted) {
    return (
      <Section title={title}>
        <PlanNote>{t("account.dashboard.start.noSavedPlan")}</PlanNote>
      </Section>
    );
  }
  const newest = query.data?.slice(0, SHOWN_SAVED) ?? [];
  return (
    <Section title={title} more={{ to: paths.saved, text: t("account.dashboard.start.allSaved") }}>
      <Rows query={query} items={newest} empty={t("account.dashboard.start.noSaved")}>
        {(tender) => (
          <TenderRow
            key={tender._id}
            tender={rowOf(tender)}
            isClosingCertain={isClosingCertain(tender)}
            closingNote={<ClosedDays closing={tender.dates?.closing} />}
          />
        )}
      </Rows>
    </Section>
  );
}

export function StartLists({ user }: { user: User }) {
  return (
    <div className="mt-7 grid gap-x-12 gap-y-9 lg:grid-cols-2">
      <ClosingSoon user={user} />
      <div className="grid content-start gap-y-9">
        <NewMatches user={user} />
        <SavedTenders user={user} />
      </div>
    </div>
  );
}
