// The printed words of a field, as a crop of the clip.

import { useState } from "react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { type Box, fieldPosition } from "@/shared/clip/fieldPosition.ts";
import { webAddress } from "@/shared/clip/webAddress.ts";

/**
 * The minimum width of the crop, as a fraction of the clip's width. A few words alone are hard to
 * find.
 */
const MIN_CROP_WIDTH = 0.75;
/** The margin above and below the words, as a fraction of their height. */
const MARGIN = 0.6;
/**
 * The maximum margin above and below the words, as a fraction of the clip's height. This margin
 * shows about one more line, because an uncertain text may continue there.
 */
const MAX_MARGIN = 0.028;
/** The margin beside the words, as a fraction of the clip's width, so that no letter is cut. */
const SIDE_MARGIN = 0.03;
/** The maximum height of the crop, as a fraction of the clip's height. */
const MAX_CROP_HEIGHT = 0.35;

/** Returns the crop around some words, in fractions of the clip. The crop stays within the clip. */
export function cropAround([left, top, width, height]: Box): Box {
  const wide = Math.min(1, Math.max(width + 2 * SIDE_MARGIN, MIN_CROP_WIDTH));
  const high = Math.min(1, MAX_CROP_HEIGHT, height + 2 * Math.min(height * MARGIN, MAX_MARGIN));
  const within = (start: number, size: number) => Math.min(1 - size, Math.max(0, start));
  return [
    within(left - (wide - width) / 2, wide),
    within(top - (high - Math.min(height, high)) / 2, high),
    wide,
    high,
  ];
}

/**
 * The printed words as an image, or as text if the clip or the position is unknown. Shows nothing
 * if there is no evidence.
 */
export function PrintedWords({ tender, path }: { tender: Tender; path: string }) {
  const { t } = useTranslation();
  const [clipRatio, setClipRatio] = useState<number | null>(null);
  const words = tender.evidence?.[path];
  const place = fieldPosition(tender, path);
  const address = webAddress(tender.sources?.[0]?.clipUrl);
  if (!words?.text) return null;
  if (!place || !address) {
    return (
      <span className="block" lang={tender.language ?? undefined}>
        {t("tenders.details.asPrinted", { text: words.text })}
      </span>
    );
  }
  const [left, top, width, height] = cropAround(place);
  return (
    <span
      className="relative mt-1 block w-full max-w-md overflow-hidden rounded-md border border-line bg-[#f4f1ea]"
      style={{ aspectRatio: clipRatio ? (width * clipRatio) / height : undefined, minHeight: "1.5rem" }}
    >
      <img
        src={address}
        alt={t("tenders.details.asPrinted", { text: words.text })}
        lang={tender.language ?? undefined}
        decoding="async"
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setClipRatio(naturalWidth / Math.max(1, naturalHeight))
        }
        className="absolute max-w-none dark:brightness-90"
        style={{
          width: `${100 / width}%`,
          left: `${(-100 * left) / width}%`,
          top: `${(-100 * top) / height}%`,
        }}
      />
    </span>
  );
}
