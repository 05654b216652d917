// A text with its search matches highlighted. The ranges count Unicode code points, not UTF-16
// units.

import { Fragment } from "react";

export type HighlightRanges = readonly (readonly number[])[];

export function HighlightedText({ text, ranges }: { text: string; ranges: HighlightRanges }) {
  const letters = Array.from(text);
  let end = 0;
  const parts = ranges.flatMap(([start = 0, stop = 0]) => {
    const marked = letters.slice(start, stop).join("");
    if (marked === "") return [];
    const before = letters.slice(end, start).join("");
    end = Math.max(end, stop);
    return [{ at: start, before, marked }];
  });
  return (
    <>
      {parts.map(({ at, before, marked }) => (
        <Fragment key={at}>
          {before}
          <mark className="rounded-xs bg-accent-wash font-semibold text-ink underline decoration-accent decoration-2 underline-offset-3">
            {marked}
          </mark>
        </Fragment>
      ))}
      {letters.slice(end).join("")}
    </>
  );
}
