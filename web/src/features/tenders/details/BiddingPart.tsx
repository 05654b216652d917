// A part of "May I bid?" with its title.

import type { ReactNode } from "react";

export function BiddingPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="text-[0.8125rem] text-ink-soft">{title}</p>
      {children}
    </div>
  );
}
