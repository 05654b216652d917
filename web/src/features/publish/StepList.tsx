// The list of the form's steps. Each step can be opened at any time.

import { CircleAlert } from "lucide-react";
import { useTranslation } from "@/i18n/i18n.ts";
import { STEPS, type Step } from "./steps.ts";

interface StepListProps {
  current: Step;
  /** The steps with problems. */
  faulty: ReadonlySet<Step>;
  onOpen: (step: Step) => void;
}

export function StepList({ current, faulty, onOpen }: StepListProps) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("publish.steps")}>
      <ol className="flex justify-between gap-1 lg:grid">
        {STEPS.map((step, at) => {
          const isCurrent = step === current;
          const isFaulty = faulty.has(step);
          return (
            <li key={step}>
              <button
                type="button"
                aria-current={isCurrent ? "step" : undefined}
                onClick={() => onOpen(step)}
                className={`group flex min-h-11 items-center rounded-lg text-left text-[0.9375rem] lg:w-full lg:gap-3 lg:px-2 lg:py-1.5 ${isCurrent ? "font-semibold lg:bg-accent-wash" : "text-ink-soft hover:text-ink lg:hover:bg-well"}`}
              >
                <span
                  aria-hidden
                  className={`grid size-11 shrink-0 place-items-center rounded-full border text-[0.9375rem] font-semibold tabular-nums lg:size-8 ${circleStyle(isCurrent, isFaulty)}`}
                >
                  {isFaulty ? <CircleAlert size={18} /> : at + 1}
                </span>
                <span className="min-w-0 max-lg:sr-only">
                  {t(`publish.step.${step}`)}
                  {isFaulty && <span className="sr-only"> {t("publish.stepHasErrors")}</span>}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function circleStyle(isCurrent: boolean, isFaulty: boolean): string {
  if (isFaulty)
    return isCurrent ? "border-2 border-urgent bg-urgent-wash text-urgent" : "border-urgent text-urgent";
  return isCurrent ? "border-accent bg-accent text-on-accent" : "border-edge bg-sheet text-ink-soft";
}
