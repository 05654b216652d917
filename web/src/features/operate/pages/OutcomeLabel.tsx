// The outcome of a block, in the colour of its box.

import type { BlockOutcome } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { outcomeLooks } from "./outcomes.ts";

export function OutcomeLabel({ outcome }: { outcome: BlockOutcome }) {
  const { t } = useTranslation();
  const { icon: Icon, colour } = outcomeLooks[outcome];
  return (
    <span
      className="inline-flex items-center gap-1.5 rounded-md px-2 py-0.5 text-[0.8125rem] font-semibold"
      style={{ backgroundColor: colour, color: "#ffffff" }}
    >
      <Icon size={14} aria-hidden className="shrink-0" />
      {t(`operate.pages.outcome.${outcome}`)}
    </span>
  );
}
