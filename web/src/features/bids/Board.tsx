// The columns of the board. A narrow window shows one stage at a time.

import { type CSSProperties, useId, useLayoutEffect, useRef, useState } from "react";
import type { Bid, BidBoard, BidStage } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { usePlaceBid } from "./api.ts";
import { bidsIn, byClosing, firstStage, type Placement, placed, STAGES, staysInPlace } from "./board.ts";
import { BOARD_ORDERS, type BoardOrder, chooseBoardOrder, useBoardOrder } from "./boardOrder.ts";
import { StageColumn } from "./StageColumn.tsx";

/** The choice of the stage that a narrow window shows. Every stage is in sight, in several lines. */
function StageChoice({
  counts,
  chosen,
  onChoose,
}: {
  counts: ReadonlyMap<BidStage, number>;
  chosen: BidStage;
  onChoose: (stage: BidStage) => void;
}) {
  const { t } = useTranslation();
  return (
    <fieldset className="mb-3 min-w-0 lg:hidden">
      <legend className="sr-only">{t("bids.stages")}</legend>
      <div className="flex flex-wrap gap-1 rounded-xl border border-line bg-well p-1">
        {STAGES.map((stage) => (
          <button
            key={stage}
            type="button"
            aria-pressed={chosen === stage}
            onClick={() => onChoose(stage)}
            className="inline-flex min-h-11 shrink-0 grow items-center justify-center gap-1.5 rounded-lg px-2 text-[0.9375rem] font-medium text-ink-soft aria-pressed:bg-sheet sm:px-3.5 aria-pressed:font-semibold aria-pressed:text-accent aria-pressed:shadow-sheet"
          >
            {t(`bids.stage.${stage}`)}
            <span className="tabular-nums">{counts.get(stage) ?? 0}</span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** The choice of the order of the cards. */
function OrderChoice({ order }: { order: BoardOrder }) {
  const { t } = useTranslation();
  return (
    <fieldset className="mb-3 flex flex-wrap items-center gap-x-3 text-sm">
      <legend className="sr-only">{t("bids.order.label")}</legend>
      {BOARD_ORDERS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={order === one}
          onClick={() => chooseBoardOrder(one)}
          className="min-h-11 px-1 font-medium text-accent underline-offset-4 hover:underline aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:underline md:min-h-8"
        >
          {t(`bids.order.${one}`)}
        </button>
      ))}
    </fieldset>
  );
}

/** The numbers of bids after a move that the server may not know yet. */
function countsOf(board: BidBoard): Map<BidStage, number> {
  const known = new Map(board.counts.map(({ stage, count }) => [stage, count]));
  const all = board.counts.reduce((sum, { count }) => sum + count, 0);
  // A complete list is counted, because a move changes it at once.
  if (board.bids.length === all) {
    for (const stage of STAGES) known.set(stage, bidsIn(board.bids, stage).length);
  }
  return known;
}

/** The width of a column of the board. An empty one has room for its name and leaves the rest to others. */
function trackOf(count: number): string {
  return count > 0 ? "minmax(0, 3fr)" : "minmax(min-content, 1fr)";
}

export function Board({ board }: { board: BidBoard }) {
  const { t } = useTranslation();
  const helpId = useId();
  const { bids } = board;
  const counts = countsOf(board);
  const order = useBoardOrder();
  const shown = order === "closing" ? byClosing(bids) : bids;
  const now = useNow();
  const [chosen, setChosen] = useState<BidStage>(() => firstStage(bids, now));
  const [dragged, setDragged] = useState<Bid | null>(null);
  const [drop, setDrop] = useState<Placement | null>(null);
  const [news, setNews] = useState("");
  const place = usePlaceBid();
  const columns = useRef<HTMLDivElement>(null);
  // The bid that was moved with a key. Its card is a new one after the move, so it gets the focus again.
  const focused = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus returns when the order has changed
  useLayoutEffect(() => {
    if (focused.current === null) return;
    const handle = `[data-bid="${CSS.escape(focused.current)}"] [data-handle]`;
    columns.current?.querySelector<HTMLElement>(handle)?.focus();
    focused.current = null;
  }, [bids, order]);

  const move = (bid: Bid, to: Placement, byKey: boolean) => {
    const current = bids.find(({ _id }) => _id === bid._id);
    if (!current || staysInPlace(shown, current, to)) return;
    // Who orders the cards of a stage wants to see that order.
    const isReordered = to.stage === current.stage;
    if (isReordered) chooseBoardOrder("own");
    if (staysInPlace(bids, current, to)) return;
    place.mutate({ bid: current, to });
    const after = placed(bids, bid._id, to);
    const column = bidsIn(order === "closing" && !isReordered ? byClosing(after) : after, to.stage);
    const position = column.findIndex(({ _id }) => _id === bid._id) + 1;
    const stage = t(`bids.stage.${to.stage}`);
    setNews(
      t("bids.moved", { title: displayTitle(bid.tender.title), stage, position, count: column.length }),
    );
    if (byKey) focused.current = bid._id;
  };
  const tracks = STAGES.map((stage) => trackOf(counts.get(stage) ?? 0)).join(" ");
  const widths: CSSProperties & Record<"--stages", string> = { "--stages": tracks };
  const endDrag = () => {
    setDragged(null);
    setDrop(null);
  };
  return (
    <>
      <StageChoice counts={counts} chosen={chosen} onChoose={setChosen} />
      <OrderChoice order={order} />
      <p id={helpId} className="sr-only">
        {t("bids.keys")}
      </p>
      <p aria-live="polite" className="sr-only">
        {news}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard moves bids with their handles */}
      <div
        ref={columns}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDrop(null);
        }}
        style={widths}
        className="grid grid-cols-[minmax(0,1fr)] items-stretch gap-2.5 lg:grid-cols-(--stages)"
      >
        {STAGES.map((stage) => (
          <StageColumn
            key={stage}
            stage={stage}
            bids={shown}
            count={counts.get(stage) ?? 0}
            isChosen={chosen === stage}
            helpId={helpId}
            hasTeam={board.isShared && board.people.length > 1}
            drop={dragged && drop}
            onDragOver={(to) => {
              if (dragged && (to.stage !== drop?.stage || to.before !== drop.before)) setDrop(to);
            }}
            onDrop={() => {
              if (dragged && drop) move(dragged, drop, false);
              endDrag();
            }}
            onDrag={(bid) => (bid ? setDragged(bid) : endDrag())}
            onMove={move}
          />
        ))}
      </div>
    </>
  );
}
