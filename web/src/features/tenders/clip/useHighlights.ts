// Which fields are marked on the clip: one that was asked for stays until another is, or it is asked for again; one that is
// only hovered at goes when the pointer does.

import { useState } from "react";

export interface Highlights {
  /** The path of the field whose mark stays. */
  pinned: string | null;
  /** The paths of all marked fields: the one that stays first. */
  shown: readonly string[];
  /** Marks a field as long as it is hovered at or focused; `null`: none is. */
  hover: (path: string | null) => void;
  /** Keeps a field's mark, or lets it go where it is pinned already. */
  toggle: (path: string) => void;
}

export function useHighlights(): Highlights {
  const [pinned, setPinned] = useState<string | null>(null);
  const [hovered, hover] = useState<string | null>(null);
  const shown = [pinned, hovered === pinned ? null : hovered].filter((path) => path !== null);
  const toggle = (path: string) => {
    // The pointer and the focus are on it still: letting go takes their mark too.
    if (pinned === path) hover(null);
    setPinned(pinned === path ? null : path);
  };
  return { pinned, shown, hover, toggle };
}
