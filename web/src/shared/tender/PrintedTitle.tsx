// A printed title or name as the screens show it. If that is another form than the printed one, the printed
// one is the tooltip.

import type { ReactNode } from "react";
import { displayTitle } from "./displayTitle.ts";

interface PrintedTitleProps {
  printed: string;
  /** Renders the shown form, for example with marked words. The shown form is as long as the printed one. */
  children?: (shown: string) => ReactNode;
}

export function PrintedTitle({ printed, children }: PrintedTitleProps) {
  const shown = displayTitle(printed);
  const content = children ? children(shown) : shown;
  return shown === printed ? content : <span title={printed}>{content}</span>;
}
