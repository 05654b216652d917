// Which fields are highlighted on the clip. A pinned field is highlighted until it is unpinned or
// another field is pinned. Any other field is highlighted while it is hovered or focused.

import { useState } from "react";

export interface Highlights {
  /** The path of the pinned field. */
  pinned: string | null;
  /** The paths of all highlighted fields, the pinned one first. */
  shown: readonly string[];
  /** Sets the path of the field that is hovered or focused; `null` if no field is. */
  hover: (path: string | null) => void;
  /** Pins a field, or unpins it if it is pinned. */
  toggle: (path: string) => void;
}

export function useHighlights(): Highlights {
  const [pinned, setPinned] = useState<string | null>(null);
  const [hovered, hover] = useState<string | null>(null);
  const shown = [pinned, hovered === pinned ? null : hovered].filter((path) => path !== null);
  const toggle = (path: string) => {
    // The unpinned field is still hovered or focused. Without this call, it would stay highlighted.
    if (pinned === path) hover(null);
    setPinned(pinned === path ? null : path);
  };
  return { pinned, shown, hover, toggle };
}
