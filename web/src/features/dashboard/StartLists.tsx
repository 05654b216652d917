// The lists of the start page: what must be done in the next days, the new matches of the user's alerts,
// the saved tenders, and what else closes soon. In place of a list that the plan does not include, a line
// says which plan has it.

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import {
  type Bid,
  isLocked,
  type ListedBidAnswer,
  type LockedTender,
  type Tender,
  type User,
} from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { Passage } from "@/shared/alerts/Passage.tsx";
import { bidBoard } from "@/shared/bids.ts";
import { useNow } from "@/shared/clock.ts";
import { companyProfile } from "@/shared/company.ts";
import { dayOf, formatDay } from "@/shared/format/dates.ts";
import { ownSectors } from "@/shared/ownSectors.ts";
import { paths } from "@/shared/paths.ts";
import { canSaveTenders, hasAlerts } from "@/shared/session/planAccess.ts";
import { AnswerBadge } from "@/shared/tender/AnswerBadge.tsx";
import type { Asking } from "@/shared/tender/bidAnswer.ts";
import { ClosedDays } from "@/shared/tender/ClosedDays.tsx";
import { CLOSING_PATH, isUncertain } from "@/shared/tender/fieldStates.ts";
import { placeWithDoubt } from "@/shared/tender/place.ts";
import { TenderRow } from "@/shared/tender/TenderRow.tsx";
import type { Sector } from "@/shared/tender/vocabulary.ts";
import {
  nextClosings,
  nextSaved,
  type RecentMatch,
  recentMatches,
  useMarkIrrelevant,
  weekAhead,
} from "./api.ts";
import { type Closing, type Closings, chooseClosings, type Listed, saleEndOf } from "./closings.ts";
import { BoardNote, ListNote, PlanNote, Rows, Section } from "./startListParts.tsx";
import { ThisWeek } from "./ThisWeek.tsx";
import { weekItems } from "./week.ts";

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
    saleUntil: saleEndOf(tender),
  };
}

/** The closing and the place of a row, with what is not certain of them. */
const certainty = (tender: Pick<Tender, "fieldStates" | "location">, t: Translate) => ({
  isClosingCertain: !isUncertain(tender, CLOSING_PATH),
  place: placeWithDoubt(tender, t),
});

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

/** Whether the user's company may bid. */
function Answer({ tender, answer }: { tender: Asking; answer: ListedBidAnswer | null | undefined }) {
  if (!answer) return null;
  return (
    <p className="mt-1 text-sm text-ink-soft">
      <AnswerBadge tender={tender} answer={answer} />
    </p>
  );
}

function ListedRow({ listed: { tender, answer } }: { listed: Listed }) {
  const { t } = useTranslation();
  return (
    <TenderRow
      tender={rowOf(tender)}
      {...certainty(isLocked(tender) ? { fieldStates: tender.fieldStates } : tender, t)}
      closingNote={<ClosedDays closing={tender.dates?.closing} />}
    >
      {!isLocked(tender) && <Answer tender={tender} answer={answer} />}
    </TenderRow>
  );
}

function ClosingRow({ closing }: { closing: Closing }) {
  if (closing.kind === "bid") return <BidRow bid={closing.bid} />;
  return <ListedRow listed={closing} />;
}

function closingKey(closing: Closing): string {
  return closing.kind === "bid" ? closing.bid._id : closing.tender._id;
}

/** What closes next, and below it the user's bids that close later. */
function ClosingSoon({
  closings: { soon, laterBids },
  bidCount,
  sectors,
  query,
}: {
  closings: Closings;
  /** The number of bids on the board. */
  bidCount: number;
  /** The sectors of the tenders; empty for all. */
  sectors: readonly Sector[];
  query: Pick<UseQueryResult, "isPending" | "data">;
}) {
  const { t } = useTranslation();
  return (
    <Section
      title={t("account.dashboard.start.closing")}
      more={{ to: `${paths.tenders}?show=live&sort=closing`, text: t("account.dashboard.start.allClosing") }}
    >
      <ListNote>
        {sectors.length > 0 && (
          <span className="block">
            {t("account.dashboard.start.ofSectors", {
              sectors: sectors.map((sector) => t(`tenders.sector.${sector}`)).join(", "),
            })}
          </span>
        )}
        {t("account.dashboard.start.leftOut")}
      </ListNote>
      <Rows<Closing> query={query} items={soon} empty={t("account.dashboard.start.noClosing")}>
        {(closing) => <ClosingRow key={closingKey(closing)} closing={closing} />}
      </Rows>
      {laterBids.length > 0 && (
        <>
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-4 text-[0.9375rem] font-semibold">
            <h3 className="text-ink-soft">{t("account.dashboard.start.laterBids")}</h3>
            <Link to={paths.bids} className="text-accent hover:underline">
              {t("account.dashboard.start.allBids", { count: bidCount })}
            </Link>
          </div>
          <ul className="divide-y divide-line">
            {laterBids.map((closing) => (
              <ClosingRow key={closingKey(closing)} closing={closing} />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

type MatchQuery = UseQueryResult<RecentMatch[]>;

/** Whether the words around the keyword are those of the title, which stands above them. */
function repeatsTitle({ passage, title }: RecentMatch): boolean {
  const words = passage ? `${passage.before}${passage.hit}${passage.after}` : "";
  return title.includes(words.trim());
}

/** A match with the alert that found it. It can be marked as irrelevant, and the mark can be removed. */
function MatchRow({ match }: { match: RecentMatch }) {
  const { t } = useTranslation();
  const mark = useMarkIrrelevant(match);
  const isIrrelevant = mark.isSuccess && mark.variables;
  return (
    <TenderRow tender={match} {...certainty(match, t)} closingNote={<ClosedDays closing={match.closing} />}>
      <Answer tender={match} answer={match.bidAnswer} />
      {match.passage && !repeatsTitle(match) && <Passage passage={match.passage} />}
      <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">
        <span className="min-w-0 break-words">
          {t("account.dashboard.start.match", { alert: match.alertName })} · {formatDay(match.at)}
        </span>
        <button
          type="button"
          disabled={mark.isPending}
          onClick={() => mark.mutate(!isIrrelevant)}
          className="py-1 font-medium text-accent underline underline-offset-2 max-sm:py-3"
        >
          {t(isIrrelevant ? "alerts.card.relevant" : "alerts.card.irrelevant")}
        </button>
      </p>
    </TenderRow>
  );
}

function NewMatches({ query, isShown }: { query: MatchQuery; isShown: (tenderId: string) => boolean }) {
  const { t } = useTranslation();
  const items = query.data?.filter(({ _id }) => isShown(_id)) ?? [];
  const newest = query.data?.length ?? 0;
  return (
    <Section
      title={t("account.dashboard.start.matches")}
      more={{ to: paths.alerts, text: t("account.dashboard.start.allAlerts") }}
    >
      {items.length > 0 && items.length < newest && (
        <ListNote>{t("account.dashboard.start.matchesLeftOut")}</ListNote>
      )}
      <Rows
        query={query}
        items={items}
        empty={
          newest > 0
            ? t("account.dashboard.start.matchesElsewhere", { count: newest })
            : t("account.dashboard.start.noMatches")
        }
      >
        {(match) => <MatchRow key={match._id} match={match} />}
      </Rows>
    </Section>
  );
}

type SavedQuery = UseQueryResult<Listed[]>;

/** The saved tenders that their list shows: the next to close that no list above it has. */
function chooseSaved(saved: SavedQuery["data"], above: ReadonlySet<string>) {
  return (saved ?? []).filter(({ tender }) => !above.has(tender._id)).slice(0, SHOWN_SAVED);
}

function SavedTenders({ query, shown }: { query: SavedQuery; shown: NonNullable<SavedQuery["data"]> }) {
  const { t } = useTranslation();
  const hasSaved = query.data !== undefined && query.data.length > 0;
  return (
    <Section
      title={t("account.dashboard.start.saved")}
      more={{ to: paths.saved, text: t("account.dashboard.start.allSaved") }}
    >
      <Rows
        query={query}
        items={shown}
        empty={t(hasSaved ? "account.dashboard.start.savedElsewhere" : "account.dashboard.start.noSaved")}
      >
        {(listed) => <ListedRow key={listed.tender._id} listed={listed} />}
      </Rows>
    </Section>
  );
}

/** A list that the plan does not include. */
function MissingList({ title, children }: { title: string; children: string }) {
  return (
    <Section title={title}>
      <PlanNote>{children}</PlanNote>
    </Section>
  );
}

interface StartListsProps {
  user: User;
  /** The tenders that the user has published or drafted. */
  own: readonly Tender[];
}

/**
 * The lists. A tender stands in the first of them that it belongs to. Who publishes tenders and bids for none
 * sees neither what else closes nor what a plan would add for bidders.
 */
export function StartLists({ user, own }: StartListsProps) {
  const { t } = useTranslation();
  const now = useNow();
  const week = useQuery(weekAhead(dayOf(now)));
  const saved = useQuery({ ...nextSaved, enabled: canSaveTenders(user) });
  const matches = useQuery({ ...recentMatches, enabled: hasAlerts(user) });
  const { data: board } = useQuery(bidBoard);
  const { data: profile, isPending: isProfilePending } = useQuery(companyProfile);
  const sectors = profile ? ownSectors(profile.company) : [];
  const next = useQuery({ ...nextClosings(sectors), enabled: !isProfilePending });
  const bids = board?.bids ?? [];
  const items = weekItems(week.data, profile?.company, own, now);
  const inWeek = items.flatMap((item) => (item.kind === "tender" ? [item.tender.tenderId] : []));
  const ofUser = new Set([...inWeek, ...bids.map(({ tender }) => tender._id)]);
  const known = new Set([...ofUser, ...(saved.data ?? []).map(({ tender }) => tender._id)]);
  const shownSaved = chooseSaved(saved.data, ofUser);
  const listed = new Set([
    ...inWeek,
    ...own.map(({ _id }) => _id),
    ...shownSaved.map(({ tender }) => tender._id),
    ...(matches.data ?? []).map(({ _id }) => _id).filter((id) => !known.has(id)),
  ]);
  const onlyPublishes =
    own.some(({ status }) => status !== "draft") && board !== undefined && bids.length === 0;
  const hasOneColumn = onlyPublishes && !hasAlerts(user) && !canSaveTenders(user);
  return (
    <div
      className={`mt-7 grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-9 ${hasOneColumn ? "" : "lg:grid-cols-[repeat(2,minmax(0,1fr))]"}`}
    >
      <div className="grid content-start gap-y-9 max-lg:contents">
        <ThisWeek query={week} items={items} />
        {!onlyPublishes && (
          <div className="max-lg:order-last">
            <ClosingSoon
              query={next}
              closings={chooseClosings(bids, next.data ?? [], listed, now)}
              bidCount={bids.length}
              sectors={sectors}
            />
          </div>
        )}
      </div>
      <div className="grid content-start gap-y-9">
        {hasAlerts(user) ? (
          <NewMatches query={matches} isShown={(id) => !known.has(id)} />
        ) : (
          !onlyPublishes && (
            <MissingList title={t("account.dashboard.start.matches")}>
              {t("account.dashboard.start.noAlertsPlan")}
            </MissingList>
          )
        )}
        {canSaveTenders(user) ? (
          <SavedTenders query={saved} shown={shownSaved} />
        ) : (
          !onlyPublishes && (
            <MissingList title={t("account.dashboard.start.saved")}>
              {t("account.dashboard.start.noSavedPlan")}
            </MissingList>
          )
        )}
      </div>
    </div>
  );
}
