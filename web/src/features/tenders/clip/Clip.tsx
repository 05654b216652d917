// The newspaper clip from which a tender was read. Users can enlarge the clip in place.

import { ImageOff, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import type { Box } from "@/shared/clip/fieldPosition.ts";
import { useZoom, type Zoom } from "@/shared/clip/useZoom.ts";
import { webAddress } from "@/shared/clip/webAddress.ts";
import { formatDay } from "@/shared/format/dates.ts";

type Source = NonNullable<Tender["sources"]>[number];

/** A highlighted area of the clip. A pinned one is scrolled into view. */
interface Highlight {
  box: Box;
  isPinned: boolean;
}

function HighlightBox({ highlight: { box, isPinned } }: { highlight: Highlight }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isPinned) place.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [isPinned]);
  const [left, top, width, height] = box.map((part) => `${part * 100}%`);
  return (
    <span
      ref={place}
      aria-hidden
      data-testid="mark"
      data-pinned={isPinned}
      className="pointer-events-none absolute z-10 scroll-m-28 rounded-sm bg-[#ffd84d]/35 outline-2 outline-[#b35c00] data-[pinned=false]:outline-dashed"
      style={{ left, top, width, height }}
    />
  );
}

function ZoomButtons({ zoom }: { zoom: Zoom }) {
  const { t } = useTranslation();
  const style =
    "grid size-9 place-items-center rounded-md text-ink hover:text-accent disabled:text-ink-soft disabled:opacity-50 max-md:size-11";
  return (
    <div className="flex shrink-0 rounded-lg border border-line bg-sheet print:hidden">
      <button
        type="button"
        aria-label={t("tenders.details.zoomOut")}
        disabled={!zoom.isEnlarged}
        onClick={() => zoom.step(-1)}
        className={style}
      >
        <ZoomOut size={18} aria-hidden />
      </button>
      <button
        type="button"
        aria-label={t("tenders.details.zoomIn")}
        disabled={zoom.isLargest}
        onClick={() => zoom.step(1)}
        className={style}
      >
        <ZoomIn size={18} aria-hidden />
      </button>
    </div>
  );
}

/** Joins the newspaper, the date and the page, as far as they are known. */
function sourceCaption({ publication, date, page }: Source, t: Translate): string {
  const parts = [publication, date && formatDay(date), page ? t("tenders.details.page", { page }) : null];
  return parts.filter(Boolean).join(", ");
}

interface ClipProps {
  source: Source;
  title: string;
  language: string | undefined;
  highlights: readonly Highlight[];
}

export function Clip({ source, title, language, highlights }: ClipProps) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);
  const zoom = useZoom();
  const address = webAddress(source.clipUrl);
  if (!address) return null;
  return (
    <figure>
      <div className="mb-1.5 flex items-center justify-between gap-3">
        <figcaption className="text-sm text-ink-soft">{sourceCaption(source, t)}</figcaption>
        <ZoomButtons zoom={zoom} />
      </div>
      {failed ? (
        <p className="flex items-center gap-2 rounded-lg border border-dashed border-edge/60 p-6 text-sm text-ink-soft">
          <ImageOff size={18} aria-hidden />
          {t("tenders.details.clipFailed")}
        </p>
      ) : (
        <div className="relative overflow-hidden rounded-lg border border-line bg-[#f4f1ea]">
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls */}
          <div
            role="group"
            ref={zoom.frame}
            tabIndex={zoom.isEnlarged ? 0 : undefined}
            aria-label={t("tenders.details.clip")}
            {...zoom.handlers}
            className={`max-h-[max(20rem,calc(100dvh-var(--header)-7.5rem))] overflow-auto overscroll-contain print:max-h-none print:overflow-visible ${zoom.isEnlarged ? "cursor-grab active:cursor-grabbing" : "cursor-zoom-in"}`}
          >
            <div className="relative mx-auto w-fit" style={zoom.style}>
              {highlights.map((highlight) => (
                <HighlightBox key={`${highlight.box} ${highlight.isPinned}`} highlight={highlight} />
              ))}
              <img
                src={address}
                alt={t("tenders.details.clipAlt", { title })}
                lang={language}
                decoding="async"
                draggable={false}
                onError={() => setFailed(true)}
                className={`block min-h-24 dark:brightness-90 print:brightness-100 ${zoom.isEnlarged ? "w-full" : "max-h-[max(20rem,calc(100dvh-var(--header)-7.5rem))] w-auto max-w-full print:max-h-[22cm]"}`}
              />
            </div>
          </div>
        </div>
      )}
    </figure>
  );
}
