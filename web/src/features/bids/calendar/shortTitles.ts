// Titles for the narrow cells of a month, which show little more than the beginning of a title.

import { displayTitle } from "@/shared/tender/displayTitle.ts";

/** The number of characters that every cell shows. Titles that differ among them need no other form. */
const MIN_ALIKE = 24;
/** The most characters before the difference that stay, about a line, as the context of a name. */
const MAX_CONTEXT = 17;

/** How many words two titles have alike at their beginning. The last word always counts as a difference. */
function wordsAlike(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length) - 1;
  let alike = 0;
  while (alike < most && one[alike]?.toLowerCase() === other[alike]?.toLowerCase()) alike += 1;
  return alike;
}

/** The place of the first word of the context before the word at `end`. */
function contextBefore(words: readonly string[], end: number): number {
  let begin = end;
  while (begin > 0 && words.slice(begin - 1, end).join(" ").length <= MAX_CONTEXT) begin -= 1;
  return begin;
}

/**
 * The short form of each title that begins like another one for longer than a cell shows: its end, from
 * shortly before the first difference. Other titles have none.
 */
export function shortTitles(printed: Iterable<string>): Map<string, string> {
  const titles = [...new Set(printed)].map((title) => {
    const shown = displayTitle(title);
    return { title, shown, words: shown.split(/\s+/).filter(Boolean) };
  });
  const short = new Map<string, string>();
  for (const { title, shown, words } of titles) {
    const others = titles.filter((other) => other.shown.toLowerCase() !== shown.toLowerCase());
    const alike = Math.max(0, ...others.map((other) => wordsAlike(words, other.words)));
    const begin = contextBefore(words, alike);
    if (begin > 0 && words.slice(0, alike).join(" ").length >= MIN_ALIKE) {
      short.set(title, `… ${words.slice(begin).join(" ")}`);
    }
  }
  return short;
}
