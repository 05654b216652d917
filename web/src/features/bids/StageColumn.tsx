// A stage of the board: a column whose cards have an order, and into which cards can be dropped.

import type { DragEvent } from "react";
import type { Bid, BidStage } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isOpen } from "@/shared/bids.ts";
import { formatMillions } from "@/shared/format/money.ts";
import { BidCard } from "./BidCard.tsx";
import { bidsIn, type Placement } from "./board.ts";

interface StageColumnProps {
  stage: BidStage;
  /** All bids of the board in their order. */
  bids: readonly Bid[];
  /** The number of bids in the stage, of which closed ones may not all be listed. */
  count: number;
  /** Whether a narrow window shows this stage. */
  isChosen: boolean;
  helpId: string;
  /** Whether several users share the board. */
  hasTeam: boolean;
  /** The place at which the dragged bid would be dropped. `null`: no bid is dragged over the board. */
  drop: Placement | null;
  onDragOver: (place: Placement) => void;
  onDrop: () => void;
  onDrag: (bid: Bid | null) => void;
  onMove: (bid: Bid, to: Placement, byKey: boolean) => void;
}

/** Where a bid is dropped: before the first card whose middle is below the pointer. */
function dropPlace(event: DragEvent<HTMLElement>, stage: BidStage): Placement {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-bid]")];
  const below = cards.find((card) => {
    const { top, height } = card.getBoundingClientRect();
    return event.clientY < top + height / 2;
  });
  return { stage, before: below?.dataset.bid ?? null };
}

/** The line that shows where a dragged bid would be dropped. */
function DropLine() {
  return <div aria-hidden className="h-0.5 rounded-full bg-accent" />;
}

export function StageColumn({
  stage,
  bids,
  count,
  isChosen,
  helpId,
  hasTeam,
  drop,
  onDragOver,
  onDrop,
  onDrag,
  onMove,
}: StageColumnProps) {
  const { t } = useTranslation();
  const column = bidsIn(bids, stage);
  // Only the listed bids count: of closed ones, not all may be listed.
  const value = count === column.length ? column.reduce((sum, bid) => sum + (bid.value ?? 0), 0) : 0;
  const name = t(`bids.stage.${stage}`);
  const isTarget = drop?.stage === stage;
  const before = isTarget && isOpen(stage) ? drop.before : column[0]?._id;
  const over = (event: DragEvent<HTMLElement>) => {
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
    onDragOver(dropPlace(event, stage));
  };
  return (
    // The keyboard moves bids with the handles of their cards.
    <section
      aria-label={name}
      data-stage={stage}
      onDragOver={over}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
      className={`min-w-0 flex-col rounded-2xl p-2 lg:flex ${isChosen ? "flex" : "hidden"} ${isTarget ? "bg-accent-wash" : "bg-well"}`}
    >
      <div className="px-1.5 pt-0.5 pb-2">
        <h2 className="flex items-baseline justify-between gap-2 text-[0.9375rem] font-semibold max-lg:sr-only">
          <span className="break-words">{name}</span>
          <span className="text-sm font-normal text-ink-soft tabular-nums">{count}</span>
        </h2>
        {value > 0 && (
          <p className="text-sm text-ink-soft tabular-nums">{formatMillions(value / 1_000_000, null)}</p>
        )}
      </div>
      <ol className="grid min-h-16 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-2">
        {column.map((bid) => (
          <li key={bid._id} data-bid={bid._id} className="grid grid-cols-[minmax(0,1fr)] gap-2">
            {isTarget && before === bid._id && <DropLine />}
            <BidCard
              bid={bid}
              bids={bids}
              helpId={helpId}
              hasTeam={hasTeam}
              onMove={(to, byKey) => onMove(bid, to, byKey)}
              onDragStart={() => onDrag(bid)}
              onDragEnd={() => onDrag(null)}
            />
          </li>
        ))}
        {column.length === 0 && <li className="px-2 py-3 text-sm text-ink-soft">{t("bids.emptyStage")}</li>}
        {isTarget && column.length > 0 && before === null && (
          <li>
            <DropLine />
          </li>
        )}
      </ol>
      {count > column.length && (
        <p className="px-1.5 pt-2 text-sm text-ink-soft">
          {t("bids.notListed", { count: count - column.length })}
        </p>
      )}
    </section>
  );
}
