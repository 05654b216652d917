// The tender form: stores unsent input in the browser, shows errors, sends the tender, and asks
// before the user leaves with unsaved changes.

import { type ReactNode, useCallback, useContext, useEffect, useId, useMemo, useRef, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { ApiError, messageOf } from "@/api/error.ts";
import type { Tender, User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { LeaveDialog } from "@/shared/dialogs/LeaveDialog.tsx";
import { useUnsavedWarning } from "@/shared/dialogs/useUnsavedWarning.ts";
import { dayOf } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { toast } from "@/ui/toasts.ts";
import { useSaveTender } from "./api.ts";
import { ErrorSummary } from "./ErrorSummary.tsx";
import { FormActions } from "./FormActions.tsx";
import { FormFrame } from "./FormFrame.tsx";
import { blankForm, type PublishForm, toForm } from "./form.ts";
import { previewTender } from "./previewTender.ts";
import { StepList } from "./StepList.tsx";
import { AttachmentsStep } from "./steps/AttachmentsStep.tsx";
import { BiddersStep } from "./steps/BiddersStep.tsx";
import { DatesStep } from "./steps/DatesStep.tsx";
import { MoneyStep } from "./steps/MoneyStep.tsx";
import { WhatStep } from "./steps/WhatStep.tsx";
import { neighbourOf, STEPS, type Step, stepOf } from "./steps.ts";
import { UnsentForm } from "./unsentForm.ts";
import { type Attachments, useAttachments } from "./useAttachments.ts";
import { ProblemsProvider, useFormProblems } from "./useFormProblems.ts";
import { useSteps } from "./useSteps.ts";

/** Shows a tender as its readers see it. It belongs to another feature. */
export type RenderPreview = (tender: Tender) => ReactNode;

interface TenderEditorProps {
  user: User;
  /** The tender to edit; `null` for a new one. */
  tender: Tender | null;
  /** The tender from which a new one takes its organisation. */
  latest?: Tender | null;
  renderPreview: RenderPreview;
}

export function TenderEditor({ user, tender, latest = null, renderPreview }: TenderEditorProps) {
  const { t } = useTranslation();
  const clock = useContext(ClockContext);
  const navigate = useNavigate();
  const id = tender?._id ?? null;
  // A tender that waits for a check is stored as a draft, but must stay complete.
  const isHeld = tender?.moderation?.heldAt != null;
  const isDraft = !isHeld && (tender === null || tender.status === "draft");
  const save = useSaveTender(id);
  const attachments = useAttachments(id, tender?.documents ?? []);

  const unsent = useMemo(() => new UnsentForm(window.localStorage, user._id, id), [user._id, id]);
  const [stored] = useState(() => unsent.read());
  const [isRestored, setRestored] = useState(stored !== null);
  const initial = useMemo(
    () => (tender ? toForm(tender) : blankForm(user, dayOf(clock()), latest)),
    [tender, user, clock, latest],
  );
  const form = useForm<PublishForm>({ defaultValues: initial });
  const { formState, reset, watch, getValues } = form;
  const { problems, message, check, checkStep, showRefusal, revalidate, clear } = useFormProblems();
  const hasFailedFiles = attachments.list.some(({ message }) => message !== null);
  const firstStep = stored?.step ?? (hasFailedFiles ? "attachments" : "what");
  const { step, heading, openStep, openField } = useSteps(firstStep, form);
  const headingId = useId();
  const summary = useRef<HTMLDivElement>(null);
  // Whether the form was saved. A ref, because the blocker reads the value before the next render.
  const sent = useRef(false);
  const currentStep = useRef(step);
  currentStep.current = step;

  useEffect(() => {
    if (stored) reset(stored.form, { keepDefaultValues: true });
  }, [stored, reset]);
  useEffect(() => unsent.writeStep(step), [unsent, step]);
  useEffect(() => {
    const { unsubscribe } = watch((values, { name }) => {
      if (!name || sent.current) return;
      unsent.write(values as PublishForm, currentStep.current);
      revalidate(values as PublishForm, name);
    });
    return unsubscribe;
  }, [unsent, watch, revalidate]);

  const failedStep: Step[] = hasFailedFiles ? ["attachments"] : [];
  const isDirty = formState.isDirty || attachments.isPending;
  const blocker = useUnsavedWarning(useCallback(() => isDirty && !sent.current, [isDirty]));

  const focusSummary = () => requestAnimationFrame(() => summary.current?.focus());
  const publishedClosing = tender?.status === "published" ? dayOf(tender.dates?.closing) : "";
  const rulesFor = (publishing: boolean) => ({ publishing, today: dayOf(clock()), publishedClosing });
  const send = (status: "draft" | "published" | null) => {
    const values = getValues();
    const publishing =
      status === "published" || (status === null && (isHeld || tender?.status === "published"));
    if (!check(values, rulesFor(publishing))) return focusSummary();
    save.mutate(
      { form: values, status, unsent, attach: attachments.uploadTo, hasFiles: attachments.isPending },
      {
        onSuccess: async ({ tender: saved, isComplete }) => {
          unsent.clear();
          sent.current = true;
          if (!isComplete) toast.error(t("publish.documents.someFailed"));
          await navigate(isComplete ? paths.dashboard : paths.editTender(saved._id));
        },
        onError: (error) => {
          const fallback = messageOf(error, t(id ? "publish.updateFailed" : "publish.createFailed"));
          showRefusal(error instanceof ApiError ? error.errors : [], values, fallback);
          focusSummary();
        },
      },
    );
  };

  const startOver = () => {
    unsent.clear();
    reset(initial);
    clear();
    openStep("what");
    setRestored(false);
  };
  const next = neighbourOf(step, 1);
  const nextName = next && t(`publish.step.${next}`);
  const submit = () => {
    if (!isDraft || !next) return send(isDraft ? "published" : null);
    // Any other way out of a step stays open, and so does saving an incomplete draft.
    if (!checkStep(getValues(), rulesFor(true), step)) return focusSummary();
    openStep(next);
  };

  return (
    <FormFrame tender={tender} isFromLatest={latest !== null} onStartOver={isRestored ? startOver : null}>
      <FormProvider {...form}>
        <ProblemsProvider value={problems}>
          <div className="mt-6 grid gap-x-8 gap-y-5 lg:grid-cols-[13rem_minmax(0,1fr)]">
            <div className="lg:sticky lg:top-[calc(var(--header)+1rem)] lg:self-start">
              <StepList
                current={step}
                faulty={new Set([...problems.map(({ path }) => stepOf(path)), ...failedStep])}
                onOpen={openStep}
              />
            </div>
            <form
              noValidate
              aria-labelledby={headingId}
              className="grid min-w-0 grid-cols-1 content-start gap-5"
              onSubmit={(event) => {
                event.preventDefault();
                submit();
              }}
            >
              <ErrorSummary ref={summary} problems={problems} message={message} onOpen={openField} />
              <div>
                <p className="text-sm text-ink-soft">
                  {t("publish.stepOf", { number: STEPS.indexOf(step) + 1, total: STEPS.length })}
                  {/* A phone has no room for the names of the other steps. */}
                  {nextName && (
                    <span className="lg:hidden">{` · ${t("publish.nextStep", { step: nextName })}`}</span>
                  )}
                </p>
                <h2 id={headingId} ref={heading} tabIndex={-1} className="text-xl font-bold outline-none">
                  {t(`publish.step.${step}`)}
                </h2>
              </div>
              <StepContent
                step={step}
                attachments={attachments}
                preview={() =>
                  renderPreview(previewTender(getValues(), attachments.list, tender?.status ?? "draft"))
                }
              />
              <FormActions
                step={step}
                isDraft={isDraft}
                isHeld={isHeld}
                isBusy={save.isPending}
                onOpen={openStep}
                onSaveDraft={() => send("draft")}
              />
            </form>
          </div>
        </ProblemsProvider>
      </FormProvider>
      <LeaveDialog blocker={blocker}>{t("publish.leave.text")}</LeaveDialog>
    </FormFrame>
  );
}

interface StepContentProps {
  step: Step;
  attachments: Attachments;
  preview: () => ReactNode;
}

function StepContent({ step, attachments, preview }: StepContentProps) {
  const { t } = useTranslation();
  switch (step) {
    case "what":
      return <WhatStep />;
    case "bidders":
      return <BiddersStep />;
    case "money":
      return <MoneyStep />;
    case "dates":
      return <DatesStep />;
    case "attachments":
      return <AttachmentsStep attachments={attachments} />;
    default:
      return (
        <>
          <p className="text-ink-soft">{t("publish.previewHelp")}</p>
          {preview()}
        </>
      );
  }
}
