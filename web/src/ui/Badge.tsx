// A short text on a tinted background, with an optional icon. The colour never carries the meaning
// alone.

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

const toneStyles = {
  urgent: "bg-urgent-wash text-urgent",
  soon: "bg-soon-wash text-soon",
  calm: "bg-calm-wash text-calm",
  good: "bg-good-wash text-good",
  accent: "bg-accent-wash text-accent",
  quiet: "bg-well text-ink-soft",
};

export type Tone = keyof typeof toneStyles;

export function Badge({
  tone,
  icon: Icon,
  wraps = false,
  children,
}: {
  tone: Tone;
  icon?: LucideIcon;
  /** Whether a long text may wrap, for example user input. */
  wraps?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      data-tone={tone}
      className={`inline-flex items-center gap-1.5 rounded-md px-2 py-0.5 text-[0.8125rem] font-semibold ${wraps ? "wrap-anywhere" : "whitespace-nowrap"} ${toneStyles[tone]}`}
    >
      {Icon && <Icon size={14} aria-hidden className="shrink-0" />}
      {wraps ? <span className="min-w-0">{children}</span> : children}
    </span>
  );
}
