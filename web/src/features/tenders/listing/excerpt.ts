// The excerpt of a notice below a title in the results of a search.

import type { Passage } from "@/api/types.ts";
import type { HighlightRanges } from "./HighlightedText.tsx";

/** A text with marked words. The ranges count Unicode code points. */
export interface Excerpt {
  text: string;
  marks: HighlightRanges;
}

/** Escapes and signs of Markdown that are not part of the printed text. */
const MARKDOWN = /\\(?=[!-/:-@[-`{-~])|\*{2,}|`+|^#+ /gm;

/** The text without the signs of Markdown, with the marks moved along. */
function withoutMarkdown({ text, marks }: Passage): Excerpt {
  const removed = new Set<number>();
  for (const { 0: signs, index } of text.matchAll(MARKDOWN)) {
    const at = Array.from(text.slice(0, index)).length;
    for (let nth = 0; nth < signs.length; nth += 1) removed.add(at + nth);
  }
  const before = (end: number) => [...removed].filter((at) => at < end).length;
  return {
    text: Array.from(text)
      .filter((_, at) => !removed.has(at))
      .join(""),
    marks: marks.map(([start = 0, end = 0]) => [start - before(start), end - before(end)]),
  };
}

/** The places at which a text contains a phrase, in any case, as ranges of code points. */
function placesOf(phrase: string, text: string): [number, number][] {
  const letters = Array.from(text.toLowerCase());
  const searched = Array.from(phrase.toLowerCase());
  if (searched.length === 0) return [];
  return letters.flatMap((_, start): [number, number][] =>
    searched.every((letter, nth) => letters[start + nth] === letter)
      ? [[start, start + searched.length]]
      : [],
  );
}

/** The number of characters before the first new word from which an excerpt begins later, and what is kept. */
const MAX_LEAD = 70;
const KEPT_LEAD = 40;

/** The excerpt from the word that stands `KEPT_LEAD` characters before `at`, if much text stands before it. */
function cutBefore({ text, marks }: Excerpt, at: number): Excerpt {
  if (at <= MAX_LEAD) return { text, marks };
  const letters = Array.from(text);
  const space = letters.indexOf(" ", at - KEPT_LEAD);
  if (space < 0 || space >= at) return { text, marks };
  const moved = marks.flatMap(([start = 0, end = 0]) =>
    start > space ? [[start - space, end - space]] : [],
  );
  return { text: `…${letters.slice(space + 1).join("")}`, marks: moved };
}

/**
 * The excerpt to show below a title: `null` if every found word of it stands in what the card shows anyway,
 * such as the title and the name of the organisation.
 */
export function excerptOf(passage: Passage, shown: readonly string[]): Excerpt | null {
  const excerpt = withoutMarkdown(passage);
  const repeated = shown.flatMap((phrase) => placesOf(phrase, excerpt.text));
  const isNew = ([start = 0, end = 0]: readonly number[]) =>
    !repeated.some(([from, to]) => from <= start && end <= to);
  const first = excerpt.marks.find(isNew);
  return first ? cutBefore(excerpt, first[0] ?? 0) : null;
}
