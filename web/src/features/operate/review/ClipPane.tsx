// The clip of a notice beside its fields: the evidence of the field that is being edited is lit, and
// words that the reviewer selects on the clip fill it.

import { ImageOff, ZoomIn, ZoomOut } from "lucide-react";
import { type PointerEvent, useEffect, useRef, useState } from "react";
import type { ReviewNotice } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { type Box, positionOnClip, toBox } from "@/shared/clip/fieldPosition.ts";
import { webAddress } from "@/shared/clip/webAddress.ts";

/** The widths of the clip, relative to the pane. */
const SCALES = [1, 1.5, 2, 3] as const;

const percent = ([left, top, width, height]: Box) => ({
  left: `${left * 100}%`,
  top: `${top * 100}%`,
  width: `${width * 100}%`,
  height: `${height * 100}%`,
});

/** The selected words: positions of the first and the last. */
interface Selection {
  first: number;
  last: number;
}

/** The boxes of the words on the clip; `null` for words that are not on it. */
function wordBoxes({ notice, words }: ReviewNotice): (Box | null)[] {
  const clip = toBox(notice.sources?.[0]?.box);
  return words.words.map((word) => {
    const box = toBox(word.box);
    return clip && box ? positionOnClip(clip, box) : null;
  });
}

/** The word at a point of the clip, or the nearest one on its line. */
function wordAt(boxes: (Box | null)[], x: number, y: number): number | null {
  let [best, distance] = [-1, Number.POSITIVE_INFINITY];
  boxes.forEach((box, position) => {
    if (!box) return;
    const [left, top, width, height] = box;
    const dx = Math.max(left - x, 0, x - left - width);
    const dy = Math.max(top - y, 0, y - top - height);
    // A point between two lines belongs to the nearer line rather than to the nearer word.
    const apart = dy * 4 + dx;
    if (apart < distance) [best, distance] = [position, apart];
  });
  return best >= 0 && distance < 0.1 ? best : null;
}

interface ClipPaneProps {
  review: ReviewNotice;
  /** The path of the field that is being edited. */
  path: string | null;
  /** The words that fill the field. */
  onSelect: (selection: Selection) => void;
}

export function ClipPane({ review, path, onSelect }: ClipPaneProps) {
  const { t } = useTranslation();
  const { notice, clipUrl } = review;
  const [scale, setScale] = useState(0);
  const [failed, setFailed] = useState(false);
  const [selection, setSelection] = useState<{ from: number; to: number } | null>(null);
  const picture = useRef<HTMLDivElement>(null);
  const mark = useRef<HTMLSpanElement>(null);
  const clip = toBox(notice.sources?.[0]?.box);
  const words = path ? toBox(notice.evidence?.[path]?.box) : null;
  const evidence = clip && words ? positionOnClip(clip, words) : null;
  const boxes = wordBoxes(review);
  const address = webAddress(clipUrl);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the mark moves when the field changes
  useEffect(() => {
    mark.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [path, scale]);

  const wordUnder = ({ clientX, clientY }: PointerEvent) => {
    const area = picture.current?.getBoundingClientRect();
    if (!area) return null;
    return wordAt(boxes, (clientX - area.left) / area.width, (clientY - area.top) / area.height);
  };
  const finish = (event: PointerEvent) => {
    if (selection) {
      const { from } = selection;
      // The last move may not be rendered yet, so the end is read from this event.
      const to = wordUnder(event) ?? selection.to;
      onSelect({ first: Math.min(from, to), last: Math.max(from, to) });
    }
    setSelection(null);
  };
  const isSelected = (position: number) =>
    selection !== null &&
    position >= Math.min(selection.from, selection.to) &&
    position <= Math.max(selection.from, selection.to);
  const source = notice.sources?.[0];
  const zoomStyle =
    "grid size-9 place-items-center rounded-md hover:text-accent disabled:opacity-40 max-lg:size-11";

  return (
    <figure className="flex min-h-0 flex-col">
      <div className="mb-1 flex items-center justify-between gap-3">
        <figcaption className="min-w-0 truncate text-sm text-ink-soft">
          {[
            source?.publication,
            source?.date,
            source?.page && t("operate.review.page", { page: source.page }),
          ]
            .filter(Boolean)
            .join(", ")}
        </figcaption>
        <div className="flex shrink-0 rounded-lg border border-line bg-sheet">
          <button
            type="button"
            aria-label={t("operate.review.zoomOut")}
            disabled={scale === 0}
            onClick={() => setScale(scale - 1)}
            className={zoomStyle}
          >
            <ZoomOut size={18} aria-hidden />
          </button>
          <button
            type="button"
            aria-label={t("operate.review.zoomIn")}
            disabled={scale === SCALES.length - 1}
            onClick={() => setScale(scale + 1)}
            className={zoomStyle}
          >
            <ZoomIn size={18} aria-hidden />
          </button>
        </div>
      </div>
      {!address || failed ? (
        <p className="flex items-center gap-2 rounded-lg border border-dashed border-edge/60 p-6 text-sm text-ink-soft">
          <ImageOff size={18} aria-hidden />
          {t("operate.review.clipFailed")}
        </p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
        <div
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the clip
          tabIndex={0}
          aria-label={t("operate.review.clip")}
          className="min-h-0 overflow-auto overscroll-contain rounded-lg border border-line bg-[#f4f1ea]"
        >
          <div
            ref={picture}
            data-testid="clip"
            className="relative cursor-text touch-pan-y select-none"
            style={{ width: `${(SCALES[scale] ?? 1) * 100}%` }}
            onPointerDown={(event) => {
              const word = wordUnder(event);
              if (event.button !== 0 || word === null) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              setSelection({ from: word, to: word });
            }}
            onPointerMove={(event) => {
              const word = selection && wordUnder(event);
              if (selection && word !== null) setSelection({ ...selection, to: word });
            }}
            onPointerUp={finish}
            onPointerCancel={() => setSelection(null)}
          >
            <img
              src={address}
              alt={t("operate.review.clipAlt", { title: notice.title || t("operate.review.untitled") })}
              lang={notice.language ?? undefined}
              draggable={false}
              onError={() => setFailed(true)}
              className="block w-full dark:brightness-90"
            />
            {evidence && (
              <span
                ref={mark}
                aria-hidden
                data-testid="mark"
                className="pointer-events-none absolute scroll-m-16 rounded-sm bg-[#ffd84d]/35 outline-2 outline-[#b35c00]"
                style={percent(evidence)}
              />
            )}
            {boxes.map((box, position) =>
              box && isSelected(position) ? (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: a word is identified by its position
                  key={position}
                  aria-hidden
                  className="pointer-events-none absolute bg-[#2f7fd1]/30"
                  style={percent(box)}
                />
              ) : null,
            )}
          </div>
        </div>
      )}
    </figure>
  );
}
