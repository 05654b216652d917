// A secondary section of the page of a bid: a line that tells what it has and opens.

import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useLocation } from "react-router";

interface FoldedSectionProps {
  title: string;
  /** What the section has, in a few words. */
  summary: string;
  /** The id that links to the section name. Such a link opens the section. */
  anchor: string;
  children: ReactNode;
}

export function FoldedSection({ title, summary, anchor, children }: FoldedSectionProps) {
  const id = useId();
  const { hash, key } = useLocation();
  const [choice, setChoice] = useState({ key: "", isOpen: false });
  // A link to the section opens it again after the user has closed it.
  const isOpen = choice.key === key ? choice.isOpen : choice.isOpen || hash === `#${anchor}`;
  return (
    <section id={anchor} aria-labelledby={id} className="scroll-mt-28">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-content`}
          onClick={() => setChoice({ key, isOpen: !isOpen })}
          className="flex min-h-14 w-full items-center gap-3 rounded-2xl px-5 text-left -outline-offset-2 hover:text-accent sm:px-7"
        >
          <span id={id} className="text-lg font-semibold">
            {title}
          </span>{" "}
          <span className="min-w-0 flex-1 py-2 text-[0.9375rem] text-ink-soft tabular-nums">{summary}</span>
          <ChevronDown
            size={18}
            aria-hidden
            className={`shrink-0 text-ink-soft transition-transform ${isOpen ? "rotate-180" : ""}`}
          />
        </button>
      </h2>
      <div id={`${id}-content`} hidden={!isOpen} className="px-5 pt-1 pb-6 sm:px-7">
        {children}
      </div>
    </section>
  );
}
