// The form of a new or existing alert, with a preview of its matches.

import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useId, useRef, useState } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { ApiError } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { LeaveDialog } from "@/shared/dialogs/LeaveDialog.tsx";
import { useUnsavedWarning } from "@/shared/dialogs/useUnsavedWarning.ts";
import { Button } from "@/ui/Button.tsx";
import { TextArea, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { AdvancedFilters, Filters } from "./AlertFilters.tsx";
import { type AlertPreview, type AlertQuery, alertById, alertPreview, useSaveAlert } from "./api.ts";
import { type AlertForm, alertSchema, newAlert, toBody, toForm, toPreviewBody, withQuery } from "./form.ts";
import { FormGroup, useErrorText } from "./formParts.tsx";
import { KeywordFields } from "./KeywordFields.tsx";
import type { OfferedKeyword } from "./KeywordTranslations.tsx";
import { MailSettings } from "./MailSettings.tsx";
import { MatchPreview, PreviewCount } from "./MatchPreview.tsx";
import { TooBroad } from "./TooBroad.tsx";

/**
 * Warns once before an alert is saved that would send too many tenders. `broad` is set while the warning
 * for the current input is shown.
 */
function useBreadthWarning(input: AlertForm) {
  const client = useQueryClient();
  const [warning, setWarning] = useState<{ body: string; breadth: AlertPreview["breadth"] } | null>(null);
  const current = JSON.stringify(toPreviewBody(input));
  const isShown = warning !== null && warning.body === current;
  /** Whether the alert may be saved: it is not too broad, or the user has seen the warning. */
  const confirmBreadth = async (values: AlertForm): Promise<boolean> => {
    const body = toPreviewBody(values);
    if (body === null || isShown) return true;
    try {
      const { breadth } = await client.fetchQuery(alertPreview(body));
      if (!breadth.isTooBroad) return true;
      setWarning({ body: JSON.stringify(body), breadth });
      return false;
    } catch (error) {
      // The warning is only advice. Without it, the alert can be saved.
      console.error(error);
      return true;
    }
  };
  return { broad: isShown ? warning.breadth : null, confirmBreadth };
}

/** Maps field paths in the server's errors to form fields, where the names differ. */
const FORM_FIELD_BY_PATH: Record<string, keyof AlertForm> = {
  "estimatedValue.min": "minValue",
  "estimatedValue.max": "maxValue",
  "emailSettings.customEmail": "customEmail",
  "emailSettings.dailySummaryTime": "dailySummaryTime",
  "advancedFilters.minDaysUntilClosing": "minDays",
  "advancedFilters.maxDaysUntilClosing": "maxDays",
  "advancedFilters.excludeKeywords": "excludeKeywords",
  "locations.cities": "cities",
};

/** The warning, scrolled into view when it appears: Save may be pressed far above it. */
function BroadWarning({
  breadth,
  onTake,
}: {
  breadth: AlertPreview["breadth"];
  onTake: (query: AlertQuery) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Some browsers return a promise, which would be taken for a clean-up.
    place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={place} role="alert" className="scroll-mb-32">
      <TooBroad breadth={breadth} onTake={onTake} />
    </div>
  );
}

/** The first invalid field gets the focus after an attempt to save, when its group is open. */
function useFocusOnError(attempts: number) {
  const fields = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempts > 0) fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempts]);
  return fields;
}

interface EditorProps {
  id: string | null;
  initial: AlertForm;
  /** The first name of the team member who created the alert; unset for the user's own alerts. */
  madeBy?: string | null;
  onClose: () => void;
}

/** On wide screens the preview stands beside the form, above the bar with the buttons. */
const previewColumn =
  "max-lg:hidden lg:sticky lg:top-[calc(var(--header)+1rem)] lg:max-h-[calc(100dvh-var(--header)-7rem)] lg:self-start lg:overflow-y-auto";

function Editor({ id, initial, madeBy, onClose }: EditorProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const messageId = useId();
  const form = useForm<AlertForm>({
    resolver: zodResolver(alertSchema),
    defaultValues: initial,
    // A field of a closed group can't have the focus yet.
    shouldFocusError: false,
  });
  const { register, handleSubmit, formState, setError, control } = form;
  const fields = useFocusOnError(formState.submitCount);
  const heading = useRef<HTMLHeadingElement>(null);
  // The form takes the place of the list, where the focus was.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  const input = useWatch({ control }) as AlertForm;
  // The idempotency key. It is sent with every attempt, so that repeated requests create one alert.
  const [submission] = useState(() => crypto.randomUUID());
  const save = useSaveAlert(id, submission);
  const { isDirty } = formState;
  // After saving, the form closes before it is rendered without its changes.
  const isSaved = useRef(false);
  const blocker = useUnsavedWarning(useCallback(() => isDirty && !isSaved.current, [isDirty]));
  const add = (offered: OfferedKeyword[]) => {
    const existing = form.getValues("keywords");
    const keywords = offered.map(({ term, matchType }) => ({
      term: term ?? "",
      matchType: matchType ?? "contains",
    }));
    form.setValue("keywords", [...existing, ...keywords], { shouldDirty: true });
  };
  const take = (query: AlertQuery) =>
    form.reset(withQuery(form.getValues(), query), { keepDefaultValues: true });
  const { broad, confirmBreadth } = useBreadthWarning(input);
  const submit = handleSubmit(async (values) => {
    if (!(await confirmBreadth(values))) return;
    save.mutate(toBody(values), {
      onSuccess: () => {
        isSaved.current = true;
        onClose();
      },
      onError: (error) => {
        if (!(error instanceof ApiError)) return;
        for (const { field, message } of error.errors) {
          const name = FORM_FIELD_BY_PATH[field] ?? field.replace(/\[(\d+)\]/g, ".$1");
          setError(name as keyof AlertForm, { type: "server", message });
        }
      },
    });
  });
  const keywords = formState.errors.keywords;
  const message = errorText(keywords?.root?.message ?? keywords?.message);
  const title = t(id === null ? "alerts.form.createTitle" : "alerts.form.editTitle");
  const idle = id === null ? "alerts.form.create" : "alerts.form.update";
  const busy = id === null ? "alerts.form.creating" : "alerts.form.updating";
  return (
    <section aria-label={title} className="rounded-2xl border border-line bg-sheet p-4 sm:p-6">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold focus:outline-none">
        {title}
      </h2>
      {madeBy && (
        <p className="text-[0.9375rem] text-ink-soft">{t("alerts.form.madeBy", { name: madeBy })}</p>
      )}
      <FormProvider {...form}>
        <form ref={fields} noValidate onSubmit={submit}>
          <div className="mt-4 grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
            {/* What has the focus is scrolled to where neither the header nor the bar covers it. */}
            <div className="grid content-start gap-5 [&_:is(a,input,select,textarea,button)]:scroll-mt-28 [&_:is(a,input,select,textarea,button)]:scroll-mb-40">
              <TextField
                label={t("alerts.form.name")}
                error={errorText(formState.errors.name?.message)}
                {...register("name")}
              />
              <KeywordFields form={input} />
              <div className="lg:hidden">
                <MatchPreview form={input} onAdd={add} onTake={take} />
              </div>
              <Filters form={input} />
              <MailSettings />
              <div className="grid gap-2.5 border-t border-line pt-5">
                <AdvancedFilters form={input} />
                <FormGroup
                  title={t("alerts.form.description")}
                  summary={input.description.trim() || t("account.optional")}
                  hasError={formState.errors.description !== undefined}
                >
                  <TextArea
                    label={t("alerts.form.description")}
                    optional={t("account.optional")}
                    rows={2}
                    error={errorText(formState.errors.description?.message)}
                    {...register("description")}
                  />
                </FormGroup>
              </div>
              {broad && <BroadWarning breadth={broad} onTake={take} />}
            </div>
            <div className={previewColumn}>
              <MatchPreview form={input} onAdd={add} onTake={take} />
            </div>
          </div>
          <div className="sticky bottom-0 z-10 -mx-4 mt-5 -mb-4 grid gap-2 rounded-b-2xl border-t border-line bg-sheet px-4 py-3 sm:-mx-6 sm:-mb-6 sm:px-6">
            <FormMessage id={messageId}>{message ?? null}</FormMessage>
            <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
              <div className="min-w-0 grow basis-48 max-sm:basis-full lg:hidden">
                <PreviewCount form={input} />
              </div>
              <div className="flex gap-3 max-sm:w-full">
                <Button variant="outlined" className="shrink-0" onClick={onClose}>
                  {t("alerts.form.cancel")}
                </Button>
                <Button
                  type="submit"
                  disabled={save.isPending || formState.isSubmitting}
                  className="min-w-0 max-sm:grow"
                >
                  {t(save.isPending ? busy : broad ? "alerts.breadth.saveAnyway" : idle)}
                </Button>
              </div>
            </div>
          </div>
        </form>
      </FormProvider>
      <LeaveDialog blocker={blocker}>{t("alerts.form.leave")}</LeaveDialog>
    </section>
  );
}

/**
 * With an `id`, the editor loads that alert, and `proposed` replaces what it matches. Without one,
 * `initial` prefills a new alert.
 */
export function AlertEditor({
  id,
  initial,
  proposed,
  onClose,
}: {
  id: string | null;
  initial: AlertForm | null;
  proposed: AlertQuery | null;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ ...alertById(id ?? ""), enabled: id !== null });
  if (id === null) return <Editor id={null} initial={initial ?? newAlert} onClose={onClose} />;
  if (error) {
    return (
      <ErrorBanner
        title={t("alerts.error")}
        action={
          <Button variant="outlined" size="small" onClick={() => void refetch()}>
            {t("shell.tryAgain")}
          </Button>
        }
      />
    );
  }
  if (!data) return <LoadingScreen label={t("alerts.form.loading")} />;
  const stored = toForm(data);
  return (
    <Editor
      id={id}
      initial={proposed ? withQuery(stored, proposed) : stored}
      madeBy={data.madeBy}
      onClose={onClose}
    />
  );
}
