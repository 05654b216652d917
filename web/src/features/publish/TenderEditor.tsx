// The tender form: stores unsent input in the browser, shows errors, sends the tender, and asks
// before the user leaves with unsaved changes.

import { useContext, useEffect, useId, useMemo, useRef, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { Link, useBlocker, useNavigate } from "react-router";
import { session } from "@/api/client.ts";
import { ApiError, messageOf } from "@/api/error.ts";
import type { Tender, User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { dayOf } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { ModerationNotice } from "@/shared/tender/ModerationNotice.tsx";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { toast } from "@/ui/toasts.ts";
import { useSaveTender } from "./api.ts";
import { FormSections } from "./FormSections.tsx";
import { blankForm, fieldForPath, type PublishForm, toForm } from "./form.ts";
import { UnsentForm } from "./unsentForm.ts";
import { useAttachments } from "./useAttachments.ts";
import { useFormErrors } from "./useFormErrors.ts";

export function TenderEditor({ user, tender }: { user: User; tender: Tender | null }) {
  const { t } = useTranslation();
  const clock = useContext(ClockContext);
  const navigate = useNavigate();
  const messageId = useId();
  const today = dayOf(clock());
  const id = tender?._id ?? null;
  // A tender that waits for a check is stored as a draft, but must stay complete.
  const isHeld = tender?.moderation?.heldAt != null;
  const isDraft = !isHeld && (tender === null || tender.status === "draft");
  const save = useSaveTender(id);
  const attachments = useAttachments(id, tender?.documents ?? []);

  const unsent = useMemo(() => new UnsentForm(window.localStorage, user._id, id), [user._id, id]);
  const initial = useMemo(
    () => (tender ? toForm(tender) : blankForm(user, dayOf(clock()))),
    [tender, user, clock],
  );
  const [restored, setRestored] = useState(() => unsent.read() !== null);
  const form = useForm<PublishForm>({ defaultValues: initial });
  const { formState, reset, watch, getValues, setError, clearErrors, setFocus } = form;
  const { message, setMessage, check, revalidate } = useFormErrors(form);
  // Whether the form was saved. A ref, because the blocker reads the value before the next render.
  const sent = useRef(false);

  useEffect(() => {
    const before = unsent.read();
    if (before) reset(before, { keepDefaultValues: true });
  }, [unsent, reset]);

  useEffect(() => {
    const { unsubscribe } = watch((values, { name }) => {
      if (!name || sent.current) return;
      unsent.write(values as PublishForm);
      revalidate(values as PublishForm, name);
    });
    return unsubscribe;
  }, [unsent, watch, revalidate]);

  const isDirty = formState.isDirty || attachments.isPending;
  // After a sign-out, the app leaves the page without asking. The browser keeps the input.
  const blocker = useBlocker(() => isDirty && !sent.current && session.read() !== null);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isDirty && !sent.current) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty]);

  const send = (status: "draft" | "published" | null) => {
    const values = getValues();
    clearErrors();
    const publishing =
      status === "published" || (status === null && (isHeld || tender?.status === "published"));
    const publishedClosing = tender?.status === "published" ? dayOf(tender.dates?.closing) : "";
    const first = check(values, { publishing, today, publishedClosing });
    if (first) return setFocus(first);
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
          setMessage(messageOf(error, t(id ? "publish.updateFailed" : "publish.createFailed")));
          if (!(error instanceof ApiError)) return;
          for (const { field, message } of error.errors) {
            const name = fieldForPath(field, values);
            if (name) setError(name, { type: "server", message });
          }
        },
      },
    );
  };

  const isBusy = save.isPending;
  const startOver = () => {
    unsent.clear();
    reset(initial);
    setRestored(false);
  };

  return (
    <Page className="py-8">
      <div className="mx-auto max-w-[44rem]">
        <Link to={paths.dashboard} className="inline-block py-2 text-[0.9375rem] font-semibold text-accent">
          {t("publish.back")}
        </Link>
        <h1 className="mt-1 text-2xl font-bold tracking-tight">
          {t(tender ? "publish.editTitle" : "publish.title")}
        </h1>
        <p className="mt-1 text-ink-soft">{t(tender ? "publish.editSubtitle" : "publish.subtitle")}</p>
        {tender?.moderation && (
          <div className="mt-4">
            <ModerationNotice tender={tender} isOwn />
          </div>
        )}
        {restored && (
          <div
            role="status"
            className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-calm-wash px-4 py-2.5 text-[0.9375rem] text-calm"
          >
            {t("publish.restored")}
            <Button variant="outlined" size="small" onClick={startOver}>
              {t("publish.startOver")}
            </Button>
          </div>
        )}
        <FormProvider {...form}>
          <form
            noValidate
            className="mt-6 grid gap-6"
            onSubmit={(event) => {
              event.preventDefault();
              send(isDraft ? "published" : null);
            }}
          >
            <FormSections messageId={messageId} attachments={attachments} />
            <div className="sticky bottom-0 -mx-4 border-t border-line bg-paper px-4 py-3 sm:mx-0 sm:rounded-t-xl sm:border sm:px-5">
              <FormMessage id={messageId}>{message}</FormMessage>
              <div className={`flex flex-wrap justify-end gap-3 ${message ? "mt-3" : ""}`}>
                {(isDraft || isHeld) && (
                  <Button variant="outlined" disabled={isBusy} onClick={() => send("draft")}>
                    {t(isHeld ? "publish.toDraft" : "publish.saveDraft")}
                  </Button>
                )}
                <Button type="submit" disabled={isBusy}>
                  {t(isBusy ? "publish.busy" : isDraft ? "publish.publish" : "publish.save")}
                </Button>
              </div>
            </div>
          </form>
        </FormProvider>
      </div>
      <Dialog
        open={blocker.state === "blocked"}
        onClose={() => blocker.reset?.()}
        title={t("publish.leave.title")}
        actions={
          <>
            <Button variant="outlined" onClick={() => blocker.proceed?.()}>
              {t("publish.leave.leave")}
            </Button>
            <Button onClick={() => blocker.reset?.()}>{t("publish.leave.stay")}</Button>
          </>
        }
      >
        {t("publish.leave.text")}
      </Dialog>
    </Page>
  );
}
