// A section of a page: a card with a heading.

import { type ReactNode, useId } from "react";

export function SectionCard({
  title,
  anchor,
  children,
}: {
  title: string;
  /** The id that links to the section name. */
  anchor?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className="scroll-mt-20 rounded-2xl border border-line bg-sheet px-5 py-6 sm:px-7"
    >
      <h2 id={id} className="mb-5 text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
