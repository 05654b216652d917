// A bid on the board: a card that can be dragged, moved with the arrow keys, or moved by a menu.

import { CheckSquare, GripVertical, NotebookPen, UserRound } from "lucide-react";
import type { DragEvent, KeyboardEvent } from "react";
import { Link } from "react-router";
import type { Bid } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isInWork, isOpen } from "@/shared/bids.ts";
import { useNow } from "@/shared/clock.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { paths } from "@/shared/paths.ts";
import { ClosedDays } from "@/shared/tender/ClosedDays.tsx";
import { countdownTo, type Urgency } from "@/shared/tender/countdown.ts";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { ActionMenu } from "@/ui/ActionMenu.tsx";
import { ClosingFact } from "./BidFacts.tsx";
import { type MoveKey, type Placement, placementOfKey, STAGES } from "./board.ts";

const MOVE_KEYS: readonly string[] = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] satisfies MoveKey[];

/** Whether a key moves a bid. */
function isMoveKey(key: string): key is MoveKey {
  return MOVE_KEYS.includes(key);
}

interface BidCardProps {
  bid: Bid;
  /** All bids of the board in their order. */
  bids: readonly Bid[];
  /** The id of the text that explains the keys. */
  helpId: string;
  /** Whether several users share the board, so that cards name who takes care of a bid. */
  hasTeam: boolean;
  onMove: (to: Placement, byKey: boolean) => void;
  onDragStart: () => void;
  onDragEnd: () => void;
}

/** Whether a card shows who takes care of the bid. */
function showsOwner({ owner }: Bid, hasTeam: boolean): boolean {
  return hasTeam || !owner;
}

function hasFigures(bid: Bid, hasTeam: boolean): boolean {
  return bid.tasks > 0 || bid.notes > 0 || showsOwner(bid, hasTeam);
}

/** The figures of a bid: its own tasks, its notes and its owner. */
function Figures({ bid, hasTeam }: { bid: Bid; hasTeam: boolean }) {
  const { t } = useTranslation();
  const item = "inline-flex items-center gap-1";
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 px-1 py-0.5 text-[0.8125rem] text-ink-soft">
      {bid.tasks > 0 && (
        <li className={item}>
          <CheckSquare size={14} aria-hidden />
          {t("bids.card.tasks", { done: bid.doneTasks, all: bid.tasks })}
        </li>
      )}
      {bid.notes > 0 && (
        <li className={item}>
          <NotebookPen size={14} aria-hidden />
          {t("bids.card.notes", { count: bid.notes })}
        </li>
      )}
      {showsOwner(bid, hasTeam) && (
        <li className={`${item} wrap-anywhere`}>
          <UserRound size={14} aria-hidden className="shrink-0" />
          {bid.owner?.name ?? t("bids.nobody")}
        </li>
      )}
    </ul>
  );
}

/** The colours of a card's edge by the time that is left. The badge says it in words. */
const EDGES = {
  urgent: "border-l-4 border-l-urgent",
  soon: "border-l-4 border-l-soon",
  calm: "border-l-4 border-l-line",
} satisfies Record<Urgency, string>;

function useEdge({ stage, tender }: Bid): string {
  const countdown = countdownTo(tender.closing, useNow());
  // Nothing is left to do for what is submitted.
  if (!countdown || countdown.closed || !isInWork(stage)) return EDGES.calm;
  return EDGES[countdown.urgency];
}

export function BidCard({ bid, bids, helpId, hasTeam, onMove, onDragStart, onDragEnd }: BidCardProps) {
  const { t } = useTranslation();
  const { tender, stage } = bid;
  const title = displayTitle(tender.title);
  const edge = useEdge(bid);

  const startDrag = (event: DragEvent) => {
    event.dataTransfer.effectAllowed = "move";
    // Some browsers start no drag without data.
    event.dataTransfer.setData("text/plain", title);
    onDragStart();
  };
  const moveByKey = (event: KeyboardEvent) => {
    if (!isMoveKey(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = placementOfKey(bids, bid, event.key);
    if (to) onMove(to, true);
  };
  const others = STAGES.filter((other) => other !== stage);
  const within = (["ArrowUp", "ArrowDown"] as const).flatMap((key) => {
    const to = placementOfKey(bids, bid, key);
    return to
      ? [
          {
            label: t(key === "ArrowUp" ? "bids.moveUp" : "bids.moveDown"),
            onChoose: () => onMove(to, true),
          },
        ]
      : [];
  });
  // The last line shares its row with the buttons.
  const lines = [
    isOpen(stage) && (
      <div key="closing" className="mb-1.5 grid gap-1.5 px-1 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <ClosingFact tender={tender} stage={stage} wraps />
        </p>
        {isInWork(stage) && <ClosedDays closing={tender.closing} status={tender.status} />}
      </div>
    ),
    bid.value !== null && (
      <p key="value" className="px-1 text-base font-semibold tabular-nums">
        {formatAmount(bid.value, null)}
      </p>
    ),
    hasFigures(bid, hasTeam) && <Figures key="figures" bid={bid} hasTeam={hasTeam} />,
  ].filter(Boolean);
  return (
    <article
      aria-label={title}
      draggable
      onDragStart={startDrag}
      onDragEnd={onDragEnd}
      className={`rounded-xl border border-line bg-sheet p-2.5 shadow-sheet lg:cursor-grab ${edge}`}
    >
      <h3 className="px-1 text-[0.9375rem] leading-snug font-semibold">
        <Link
          to={paths.bid(bid._id)}
          draggable={false}
          className="line-clamp-3 wrap-anywhere hover:text-accent hover:underline"
        >
          <PrintedTitle printed={tender.title} />
        </Link>
      </h3>
      <p className="mt-1 mb-1.5 line-clamp-2 px-1 text-sm leading-snug text-ink-soft wrap-anywhere">
        <PrintedTitle printed={tender.organization} />
      </p>
      {lines.slice(0, -1)}
      <div className="-mr-1 -mb-1 flex flex-wrap items-end justify-end gap-x-1">
        <div className="min-w-0 flex-1 basis-28 pb-1">{lines.at(-1)}</div>
        <div className="flex shrink-0 items-center">
          <button
            type="button"
            data-handle
            aria-label={t("bids.handle", { title })}
            aria-describedby={helpId}
            onKeyDown={moveByKey}
            className="grid h-9 w-7 cursor-grab place-items-center rounded-lg text-ink-soft hover:bg-well hover:text-ink max-lg:hidden"
          >
            <GripVertical size={16} aria-hidden />
          </button>
          <ActionMenu
            label={t("bids.moveTo", { title })}
            narrowText={t("bids.move")}
            heading={t("bids.move")}
            actions={[
              ...others.map((to) => ({
                label: t(`bids.stage.${to}`),
                onChoose: () =>
                  onMove({ stage: to, before: bids.find((one) => one.stage === to)?._id ?? null }, true),
              })),
              ...within,
            ]}
          />
        </div>
      </div>
    </article>
  );
}
