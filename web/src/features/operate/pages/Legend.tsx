// The legend of the picture, with the number of blocks. Each entry shows or hides its boxes.

import { Eye, EyeOff } from "lucide-react";
import type { BlockOutcome, PageBlock } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { OUTCOMES } from "./api.ts";
import { OutcomeLabel } from "./OutcomeLabel.tsx";

export function Legend({
  blocks,
  hidden,
  onToggle,
}: {
  blocks: readonly PageBlock[];
  hidden: ReadonlySet<BlockOutcome>;
  onToggle: (outcome: BlockOutcome) => void;
}) {
  const { t } = useTranslation();
  const countOf = (outcome: BlockOutcome) => blocks.filter((block) => block.outcome === outcome).length;
  return (
    <fieldset className="mt-4 flex flex-wrap gap-2">
      <legend className="mb-1.5 text-[0.9375rem] font-semibold">{t("operate.pages.legend")}</legend>
      {OUTCOMES.filter((outcome) => countOf(outcome) > 0).map((outcome) => {
        const isHidden = hidden.has(outcome);
        const Icon = isHidden ? EyeOff : Eye;
        return (
          <button
            key={outcome}
            type="button"
            aria-pressed={!isHidden}
            title={t(isHidden ? "operate.pages.showBlocks" : "operate.pages.hideBlocks")}
            onClick={() => onToggle(outcome)}
            className={`inline-flex min-h-11 items-center gap-2 rounded-lg border px-2 hover:border-accent ${isHidden ? "border-dashed border-edge text-ink-soft" : "border-edge bg-sheet"}`}
          >
            <OutcomeLabel outcome={outcome} />
            <span className="font-semibold tabular-nums">{countOf(outcome)}</span>
            <Icon size={18} aria-hidden className="mr-1 shrink-0" />
            {isHidden && <span className="pr-1 text-sm">{t("operate.pages.hidden")}</span>}
          </button>
        );
      })}
    </fieldset>
  );
}
