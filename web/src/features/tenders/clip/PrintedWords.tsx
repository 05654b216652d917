// The printed words of a field, cut from the clip that the page shows anyway.

import { useState } from "react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { type Box, fieldPosition } from "./fieldPosition.ts";
import { webAddress } from "./webAddress.ts";

/** How much of the clip's width is shown at least: a few words alone can't be told from others. */
const LEAST_WIDTH = 0.75;
/** Above and below the words, as a part of their height, */
const MARGIN = 0.6;
/** and as a part of the clip's height at most: a line more, for what is doubtful may go on there. */
const MOST_MARGIN = 0.028;
/** Beside the words, as a part of the clip's width, so that no letter is cut. */
const SIDE = 0.03;
/** No more of the clip's height is shown. */
const MOST_HEIGHT = 0.35;

/** The part of a clip to show around some words, in fractions of the clip, and never more than the clip. */
export function windowAround([left, top, width, height]: Box): Box {
  const wide = Math.min(1, Math.max(width + 2 * SIDE, LEAST_WIDTH));
  const high = Math.min(1, MOST_HEIGHT, height + 2 * Math.min(height * MARGIN, MOST_MARGIN));
  const within = (start: number, size: number) => Math.min(1 - size, Math.max(0, start));
  return [
    within(left - (wide - width) / 2, wide),
    within(top - (high - Math.min(height, high)) / 2, high),
    wide,
    high,
  ];
}

/** The words as they are printed; nothing where the clip or their place is not known. */
export function PrintedWords({ tender, path }: { tender: Tender; path: string }) {
  const { t } = useTranslation();
  const [shape, setShape] = useState<number | null>(null);
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
  const [left, top, width, height] = windowAround(place);
  return (
    <span
      className="relative mt-1 block w-full max-w-md overflow-hidden rounded-md border border-line bg-[#f4f1ea]"
      style={{ aspectRatio: shape ? (width * shape) / height : undefined, minHeight: "1.5rem" }}
    >
      <img
        src={address}
        alt={t("tenders.details.asPrinted", { text: words.text })}
        lang={tender.language ?? undefined}
        decoding="async"
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setShape(naturalWidth / Math.max(1, naturalHeight))
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
