// Which fields are highlighted on the clip. A pinned field stays until another is pinned or it is
// unpinned. A hovered field is highlighted as long as it is hovered or focused.

import { useState } from "react";

export interface Highlights {
  /** The path of the pinned field. */
  pinned: string | null;
  /** The paths of all highlighted fields, the pinned one first. */
  shown: readonly string[];
  /** Highlights a field while it is hovered or focused; `null` for none. */
  hover: (path: string | null) => void;
  /** Pins a field, or unpins it if it is pinned. */
  toggle: (path: string) => void;
}

export function useHighlights(): Highlights {
  const [pinned, setPinned] = useState<string | null>(null);
  const [hovered, hover] = useState<string | null>(null);
  const shown = [pinned, hovered === pinned ? null : hovered].filter((path) => path !== null);
  const toggle = (path: string) => {
    // The field is still hovered and focused, so unpinning must clear that highlight too.
    if (pinned === path) hover(null);
    setPinned(pinned === path ? null : path);
  };
  return { pinned, shown, hover, toggle };
}
