// The bar below the form: to the step before and after, save, and publish.

import { ArrowLeft, ArrowRight } from "lucide-react";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { neighbourOf, type Step } from "./steps.ts";

interface FormActionsProps {
  step: Step;
  /** Whether the tender is a draft, which is published in the last step. */
  isDraft: boolean;
  /** Whether the tender waits for a check, so that it can become a draft again. */
  isHeld: boolean;
  isBusy: boolean;
  onOpen: (step: Step) => void;
  onSaveDraft: () => void;
}

export function FormActions({ step, isDraft, isHeld, isBusy, onOpen, onSaveDraft }: FormActionsProps) {
  const { t } = useTranslation();
  const before = neighbourOf(step, -1);
  const after = neighbourOf(step, 1);
  return (
    <div className="flex flex-wrap justify-end gap-3 sm:sticky sm:bottom-0 sm:rounded-t-xl sm:border sm:border-line sm:bg-paper sm:px-5 sm:py-3">
      {before && (
        <Button variant="plain" className="mr-auto" onClick={() => onOpen(before)}>
          <ArrowLeft size={18} aria-hidden />
          {t("publish.previous")}
        </Button>
      )}
      {(isDraft || isHeld) && (
        <Button variant="outlined" disabled={isBusy} onClick={onSaveDraft}>
          {t(isHeld ? "publish.toDraft" : "publish.saveDraft")}
        </Button>
      )}
      {after && (
        <Button
          variant={isDraft ? "filled" : "outlined"}
          type={isDraft ? "submit" : "button"}
          onClick={isDraft ? undefined : () => onOpen(after)}
        >
          {t("publish.next")}
          <ArrowRight size={18} aria-hidden />
        </Button>
      )}
      {(!isDraft || !after) && (
        <Button type="submit" disabled={isBusy}>
          {t(isBusy ? "publish.busy" : isDraft ? "publish.publish" : "publish.save")}
        </Button>
      )}
    </div>
  );
}
