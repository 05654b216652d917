// The form "Report a mistake": a message to the operator about one tender.

import { type FormEvent, useId, useState } from "react";
import { ApiError, messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useAccount } from "@/shared/session/account.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import type { DetailedTender } from "@/shared/tender/tenderQueries.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextArea, TextField } from "@/ui/Field.tsx";
import { useReportMistake } from "../api.ts";

export function ReportMistake({ tender, onClose }: { tender: DetailedTender; onClose: () => void }) {
  const { t } = useTranslation();
  const { user } = useAccount();
  const formId = useId();
  const [form, setForm] = useState({
    name: user ? `${user.firstName} ${user.lastName}` : "",
    email: user?.email ?? "",
    message: "",
  });
  const send = useReportMistake(tender._id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate(form, { onSuccess: onClose });
  };
  const errors = send.error instanceof ApiError ? send.error.errors : [];
  const general =
    send.error && errors.length === 0 ? messageOf(send.error, t("tenders.mistake.failed")) : null;
  const field = (name: keyof typeof form) => ({
    value: form[name],
    error: errors.find((error) => error.field === name)?.message,
    messageId: `${formId}-message`,
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("tenders.mistake.title")}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("tenders.saved.cancel")}
          </Button>
          <Button type="submit" form={formId} disabled={send.isPending}>
            {t("tenders.mistake.send")}
          </Button>
        </>
      }
    >
      <p className="line-clamp-2 font-medium">
        <PrintedTitle printed={tender.title} />
      </p>
      <form id={formId} noValidate onSubmit={submit} className="mt-3 grid gap-4 text-ink">
        <TextArea
          label={t("tenders.mistake.message")}
          help={t("tenders.mistake.help")}
          rows={4}
          maxLength={5000}
          {...field("message")}
        />
        {!user && (
          <>
            <TextField label={t("tenders.mistake.name")} autoComplete="name" {...field("name")} />
            <TextField
              label={t("tenders.mistake.email")}
              type="email"
              autoComplete="email"
              {...field("email")}
            />
          </>
        )}
        {general && (
          <p role="alert" className="text-[0.9375rem] font-medium text-urgent">
            {general}
          </p>
        )}
      </form>
    </Dialog>
  );
}
