// Splits a notice whose clip holds several: the reviewer places the cuts with the keyboard or by
// dragging.

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import type { ReviewNotice } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { toBox } from "@/shared/clip/fieldPosition.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";

/** How far an arrow key moves a cut, as a fraction of the clip. */
const STEP = 0.01;
/** The most cuts. */
const MAX_CUTS = 11;
/** The smallest part, as a fraction of the clip. */
const MIN_PART = 0.02;

type Direction = "across" | "down";

/** The areas of the parts on the page, from the cuts in fractions of the clip. */
export function partsOf(clip: readonly number[], direction: Direction, cuts: readonly number[]): number[][] {
  const [left = 0, top = 0, width = 0, height = 0] = clip;
  const edges = [0, ...[...cuts].sort((a, b) => a - b), 1];
  return edges.slice(1).map((end, position) => {
    const start = edges[position] ?? 0;
    return direction === "across"
      ? [left, top + start * height, width, (end - start) * height]
      : [left + start * width, top, (end - start) * width, height];
  });
}

export function SplitDialog({
  review: { notice, clipUrl },
  onSplit,
  onClose,
}: {
  review: ReviewNotice;
  onSplit: (areas: number[][]) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [direction, setDirection] = useState<Direction>("across");
  const [cuts, setCuts] = useState<number[]>([0.5]);
  const [active, setActive] = useState(0);
  const picture = useRef<HTMLDivElement>(null);
  const clip = toBox(notice.sources?.[0]?.box);

  const move = (cut: number, to: number) => {
    const within = Math.min(1 - MIN_PART, Math.max(MIN_PART, to));
    setCuts((cuts) => cuts.map((at, position) => (position === cut ? within : at)));
  };
  const add = () => {
    if (cuts.length === MAX_CUTS) return;
    // The new cut halves the largest part.
    const edges = [0, ...[...cuts].sort((a, b) => a - b), 1];
    const sizes = edges.slice(1).map((end, position) => end - (edges[position] ?? 0));
    const largest = sizes.indexOf(Math.max(...sizes));
    setCuts([...cuts, (edges[largest] ?? 0) + (sizes[largest] ?? 0) / 2]);
    setActive(cuts.length);
  };
  const remove = () => {
    if (cuts.length === 1) return;
    setCuts(cuts.filter((_, position) => position !== active));
    setActive(0);
  };
  const onKeyDown = (event: KeyboardEvent, cut: number) => {
    const steps: Record<string, number> =
      direction === "across" ? { ArrowUp: -STEP, ArrowDown: STEP } : { ArrowLeft: -STEP, ArrowRight: STEP };
    const step = steps[event.key];
    if (step !== undefined) move(cut, (cuts[cut] ?? 0) + step);
    else if (event.key === "+") add();
    else if (event.key === "-" || event.key === "Delete") remove();
    else if (event.key === "v") setDirection(direction === "across" ? "down" : "across");
    else if (event.key === "Enter") confirm();
    else return;
    event.preventDefault();
  };
  const drag = (event: PointerEvent, cut: number) => {
    const area = picture.current?.getBoundingClientRect();
    if (!area || event.buttons === 0) return;
    const at =
      direction === "across"
        ? (event.clientY - area.top) / area.height
        : (event.clientX - area.left) / area.width;
    move(cut, at);
  };
  // A new cut has the cursor, so that the arrow keys move it.
  useEffect(() => {
    picture.current?.querySelector<HTMLElement>(`[data-cut="${active}"]`)?.focus();
  }, [active]);
  const confirm = () => {
    if (clip) onSplit(partsOf(clip, direction, cuts));
  };

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("operate.review.splitTitle")}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("operate.review.cancel")}
          </Button>
          <Button onClick={confirm} disabled={!clip}>
            {t("operate.review.splitInto", { count: cuts.length + 1 })}
          </Button>
        </>
      }
    >
      <p>{t("operate.review.splitHelp")}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="outlined" size="small" onClick={add}>
          {t("operate.review.addCut")}
        </Button>
        <Button variant="outlined" size="small" onClick={remove} disabled={cuts.length === 1}>
          {t("operate.review.removeCut")}
        </Button>
        <Button
          variant="outlined"
          size="small"
          onClick={() => setDirection(direction === "across" ? "down" : "across")}
        >
          {t("operate.review.turnCuts")}
        </Button>
      </div>
      <div className="mt-3 max-h-[55vh] overflow-auto rounded-lg border border-line bg-[#f4f1ea]">
        <div ref={picture} className="relative mx-auto w-fit">
          {clipUrl && (
            <img src={clipUrl} alt="" draggable={false} className="block max-w-full dark:brightness-90" />
          )}
          {cuts.map((at, cut) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a cut is identified by its position
              key={cut}
              type="button"
              role="slider"
              data-autofocus={cut === 0 || undefined}
              data-cut={cut}
              aria-label={t("operate.review.cut", { number: cut + 1 })}
              aria-orientation={direction === "across" ? "vertical" : "horizontal"}
              aria-valuenow={Math.round(at * 100)}
              onFocus={() => setActive(cut)}
              onKeyDown={(event) => onKeyDown(event, cut)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                event.currentTarget.focus();
              }}
              onPointerMove={(event) => drag(event, cut)}
              className={`absolute grid touch-none place-items-center ${direction === "across" ? "right-0 left-0 h-6 -translate-y-3 cursor-row-resize" : "top-0 bottom-0 w-6 -translate-x-3 cursor-col-resize"}`}
              style={direction === "across" ? { top: `${at * 100}%` } : { left: `${at * 100}%` }}
            >
              <span
                aria-hidden
                className={`bg-[#b3261e] ${direction === "across" ? "h-0.5 w-full" : "h-full w-0.5"}`}
              />
            </button>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
