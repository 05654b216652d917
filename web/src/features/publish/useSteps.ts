// Which step of the form is open, and what gets the focus after another one is opened.

import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { FieldPath, PublishForm } from "./form.ts";
import { focusTarget, type Step, stepOf } from "./steps.ts";

/** An open step. `focus` is the field that gets the focus; `null`: the heading gets it. */
interface OpenStep {
  step: Step;
  focus: FieldPath | null;
}

export function useSteps(initial: Step, { getValues, setFocus }: UseFormReturn<PublishForm>) {
  const [open, setOpen] = useState<OpenStep>({ step: initial, focus: null });
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);

  // Each opening is a new object, so that a link to a field of the open step also moves the focus.
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    if (open.focus) return setFocus(open.focus);
    window.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }, [open, setFocus]);

  return {
    step: open.step,
    heading,
    openStep: (step: Step) => setOpen({ step, focus: null }),
    openField: (path: FieldPath) => setOpen({ step: stepOf(path), focus: focusTarget(path, getValues()) }),
  };
}
