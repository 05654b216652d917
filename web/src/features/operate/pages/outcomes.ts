// How the outcomes of blocks look. The colours are the same in both themes, because the picture of a
// newspaper page is always light. White text is readable on each of them.

import {
  Ban,
  CircleCheck,
  CircleHelp,
  CircleX,
  Hourglass,
  type LucideIcon,
  TextCursor,
  Undo2,
} from "lucide-react";
import type { BlockOutcome } from "@/api/types.ts";

interface OutcomeLook {
  icon: LucideIcon;
  colour: string;
  /** The line of the box, so that the colour is not the only difference. */
  line: "solid" | "dashed" | "double" | "dotted";
}

export const outcomeLooks: Record<BlockOutcome, OutcomeLook> = {
  tender: { icon: CircleCheck, colour: "#1d6538", line: "solid" },
  doubtful: { icon: CircleHelp, colour: "#7d4a00", line: "dashed" },
  waits: { icon: Hourglass, colour: "#1f4d77", line: "double" },
  refused: { icon: CircleX, colour: "#a0241a", line: "solid" },
  rejected: { icon: Undo2, colour: "#6b2a5b", line: "dotted" },
  "not-a-notice": { icon: Ban, colour: "#575146", line: "dotted" },
  "too-little-text": { icon: TextCursor, colour: "#6b6456", line: "dotted" },
};
