// What a notice is beside the known tenders: a tender of its own, or a further notice of one of them.

import type { ReviewNotice } from "@/api/types.ts";

export type Relation = { kind: "tender" } | { kind: "joins"; tender: string };

/**
 * A candidate that is less alike is not chosen at first: one key would hide a tender behind another, or
 * change the closing date of the wrong one.
 */
const MIN_PROBABLE_LIKENESS = 0.6;

/**
 * The relation that is chosen when a notice is shown. `null`: a person must choose, because a
 * corrigendum needs a tender.
 */
export function probableRelation({
  notice,
  candidates,
}: Pick<ReviewNotice, "notice" | "candidates">): Relation | null {
  const [probable] = candidates;
  if (!probable) return null;
  if (probable.likeness >= MIN_PROBABLE_LIKENESS) return { kind: "joins", tender: probable.tender };
  return notice.kind === "corrigendum" ? null : { kind: "tender" };
}
