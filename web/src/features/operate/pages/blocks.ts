// How the blocks of a page stand, and what an operator can decide about them.

import type { BlockOutcome, NewspaperPage, PageBlock, PageDetails, PageMark } from "@/api/types.ts";
import { isReadable } from "./drawnBox.ts";

/** The outcomes of blocks that are notices, or may be notices. */
const NOTICE_OUTCOMES: readonly BlockOutcome[] = ["tender", "doubtful", "waits", "refused", "rejected"];

/** Whether a block is a notice, or may be one. */
export const isNotice = ({ outcome }: PageBlock) => NOTICE_OUTCOMES.includes(outcome);

/** How a block stands: what became of it until now, or what a person has decided about its box. */
export type BlockStanding = BlockOutcome | "dismissed" | "to-read";

/** How a block stands now. `mark` is the decision about its box. */
export function standingOf(
  block: PageBlock,
  mark: PageMark | undefined,
  { readAt }: NewspaperPage,
): BlockStanding {
  if (mark?.decision === "dismissed") return "dismissed";
  if (block.tenderId || block.reviewReason || !mark) return block.outcome;
  return readAt === null || Date.parse(mark.at) > Date.parse(readAt) ? "to-read" : block.outcome;
}

/** What a person decides about the box of a block: whether it is a notice. */
export type BlockDecision = PageMark["decision"];

/**
 * What can be decided about a block: a notice can be dismissed, and another block can be read as a
 * notice if the portal has its file. `null`: somebody has decided, or the block has too little text.
 */
export function decisionFor(
  block: PageBlock,
  mark: PageMark | undefined,
  { hasFile }: NewspaperPage,
): BlockDecision | null {
  if (mark || block.outcome === "rejected") return null;
  if (isNotice(block)) return "dismissed";
  return block.outcome === "not-a-notice" && hasFile && isReadable(block.box) ? "notice" : null;
}

/** The blocks of a page. Those that a person has dismissed are no notices, and lie below the others. */
export function blocksOf({ blocks, boxes }: PageDetails): PageBlock[] {
  const dismissed = new Set(boxes.filter(({ decision }) => decision === "dismissed").map(({ _id }) => _id));
  const isDismissed = ({ mark }: PageBlock) => mark !== null && dismissed.has(mark);
  return [
    ...blocks.filter(isDismissed).map((block) => ({ ...block, outcome: "not-a-notice" as const })),
    ...blocks.filter((block) => !isDismissed(block)),
  ];
}
