// Where a field was read on its clip. Boxes are `[left, top, width, height]`, in fractions of the
// page in API responses, and in fractions of the clip in the results of this module.

import type { Tender } from "@/api/types.ts";

export type Box = readonly [left: number, top: number, width: number, height: number];

/** The margin around the words, as a fraction of the clip. */
const MARGIN = 0.008;
/**
 * How far outside the clip the words may be, as a fraction of the clip. The positions differ
 * slightly, because clips are straightened and pages are not.
 */
const TOLERANCE = 0.03;

/** The four numbers of a box; `null` if they are no box. */
export function toBox(numbers: readonly number[] | null | undefined): Box | null {
  if (numbers?.length !== 4 || !numbers.every(Number.isFinite)) return null;
  const [left = 0, top = 0, width = 0, height = 0] = numbers;
  return width > 0 && height > 0 ? [left, top, width, height] : null;
}

/**
 * The position of a field on the tender's clip, with a margin; `null` if the position is unknown.
 * It is also unknown if there are several sources, because the evidence does not name its source.
 */
export function fieldPosition(tender: Tender, path: string): Box | null {
  const [source, ...others] = tender.sources ?? [];
  const clip = toBox(source?.box);
  const words = toBox(tender.evidence?.[path]?.box);
  if (!clip || !words || others.length > 0) return null;
  return positionOnClip(clip, words);
}

/** The position of some words on a clip, with a margin; `null` if they are not on the clip. */
export function positionOnClip(clip: Box, words: Box): Box | null {
  const left = (words[0] - clip[0]) / clip[2];
  const top = (words[1] - clip[1]) / clip[3];
  const right = left + words[2] / clip[2];
  const bottom = top + words[3] / clip[3];
  if (Math.min(left, top) < -TOLERANCE || Math.max(right, bottom) > 1 + TOLERANCE) return null;
  const within = (edge: number) => Math.min(1, Math.max(0, edge));
  const [x, y] = [within(left - MARGIN), within(top - MARGIN)];
  return [x, y, within(right + MARGIN) - x, within(bottom + MARGIN) - y];
}
