// The tenders that a notice may belong to, as a reviewer chooses one of them.

import { isLocked, type LockedTender, type Tender } from "@/api/types.ts";

type Found = Tender | LockedTender;

/** A reference number without what newspapers print differently: `RDA / 12-A` is `rda12a`. */
const bare = (reference: string | null | undefined) =>
  (reference ?? "").toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "");

export const referenceOf = (tender: Found) => (isLocked(tender) ? null : tender.referenceNo);

/** The found tenders that have this reference number. */
export function withReference(tenders: readonly Found[], reference: string): Found[] {
  const wanted = bare(reference);
  return wanted === "" ? [] : tenders.filter((tender) => bare(referenceOf(tender)) === wanted);
}

/** The choices in their order, each tender once and without the notice's own tender. */
export function distinctChoices<Choice extends { id: string }>(
  choices: readonly Choice[],
  own: string | null,
): Choice[] {
  const seen = new Set([own, ""]);
  return choices.filter(({ id }) => {
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}
