// Which fields are marked on the clip: one that was asked for stays until another is, or it is asked for again; one that is
// only pointed at goes when the pointer does.

import { useState } from "react";

export interface Marking {
  /** The path of the field whose mark stays. */
  kept: string | null;
  /** The paths of all marked fields: the one that stays first. */
  shown: readonly string[];
  /** Marks a field as long as it is pointed at or focused; `null`: none is. */
  point: (path: string | null) => void;
  /** Keeps a field's mark, or lets it go where it is kept already. */
  toggle: (path: string) => void;
}

export function useMarking(): Marking {
  const [kept, keep] = useState<string | null>(null);
  const [pointed, point] = useState<string | null>(null);
  const shown = [kept, pointed === kept ? null : pointed].filter((path) => path !== null);
  const toggle = (path: string) => {
    // The pointer and the focus are on it still: letting go takes their mark too.
    if (kept === path) point(null);
    keep(kept === path ? null : path);
  };
  return { kept, shown, point, toggle };
}
