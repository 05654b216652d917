// The printed words of a field, as a crop of the clip.

import { useState } from "react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { type Box, fieldPosition } from "@/shared/clip/fieldPosition.ts";
import { webAddress } from "@/shared/clip/webAddress.ts";

/** The margin above and below the words, as a fraction of their height: about half a line. */
const MARGIN = 0.6;
/**
 * The maximum margin above and below the words, as a fraction of the clip's height. This margin
 * shows about one more line, because an uncertain text may continue there.
 */
const MAX_MARGIN = 0.028;
/** The maximum height of the crop, as a fraction of the clip's height. */
const MAX_CROP_HEIGHT = 0.35;

/** A crop that is as wide as the clip, so that it cuts no word. Numbers are fractions of the clip's height. */
interface Crop {
  top: number;
  height: number;
  /** The heights at the top and at the bottom that only show what else is printed there. */
  fades: readonly [top: number, bottom: number];
}

/** Returns the crop around some words. It stays within the clip. */
export function cropAround([, wordsTop, , wordsHeight]: Box): Crop {
  const margin = Math.min(wordsHeight * MARGIN, MAX_MARGIN);
  const height = Math.min(1, MAX_CROP_HEIGHT, wordsHeight + 2 * margin);
  const lowest = 1 - height;
  const top = Math.min(lowest, Math.max(0, wordsTop - (height - Math.min(wordsHeight, height)) / 2));
  const below = top < lowest ? Math.max(0, top + height - wordsTop - wordsHeight) : 0;
  return { top, height, fades: [top > 0 ? Math.max(0, wordsTop - top) : 0, below] };
}

/** Lines that the crop cuts fade out, so that they don't look like words that were cut off. */
function fading({ height, fades: [above, below] }: Crop): string {
  const [from, to] = [(100 * above) / height, 100 - (100 * below) / height];
  return `linear-gradient(transparent, black ${from}%, black ${to}%, transparent)`;
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
  const crop = cropAround(place);
  return (
    <span className="mt-1 block w-full max-w-md overflow-hidden rounded-md border border-line bg-[#f4f1ea]">
      {/* The border stands outside, because the position of the image depends on the size of this element. */}
      <span
        className="relative block min-h-6 w-full overflow-hidden"
        style={{ aspectRatio: clipRatio ? clipRatio / crop.height : undefined, maskImage: fading(crop) }}
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
          className="absolute top-0 left-0 w-full max-w-none dark:brightness-90"
          style={{ transform: `translateY(${-100 * crop.top}%)` }}
        />
      </span>
    </span>
  );
}
