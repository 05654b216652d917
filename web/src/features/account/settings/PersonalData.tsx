// Exports the user's data and deletes the account.

import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { PasswordField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { useDeleteAccount, useExportData } from "../api.ts";
import { GoogleButton } from "../google/GoogleButton.tsx";

function ExportData() {
  const { t } = useTranslation();
  const download = useExportData();
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-[0.9375rem]">{t("account.settings.exportText")}</p>
      <Button variant="outlined" disabled={download.isPending} onClick={() => download.mutate()}>
        {t(download.isPending ? "account.settings.exporting" : "account.settings.export")}
      </Button>
    </div>
  );
}

function DeleteAccount({ user }: { user: User }) {
  const { t } = useTranslation();
  const messageId = useId();
  const formId = useId();
  const [isOpen, setOpen] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const { register, handleSubmit, reset } = useForm({ defaultValues: { password: "" } });
  const deletion = useDeleteAccount();
  const remove = (proof: { password: string } | { credential: string }) =>
    deletion.mutate(proof, {
      onError: (error) => setMessage(messageOf(error, t("account.settings.deleteFailed"))),
    });
  const close = () => {
    setOpen(false);
    setMessage(null);
    reset();
  };
  const submit = handleSubmit(({ password }) => {
    setMessage(password === "" ? t("account.need.password") : null);
    if (password !== "") remove({ password });
  });
  return (
    <div className="grid justify-items-start gap-3 border-t border-line pt-5">
      <p className="text-[0.9375rem]">{t("account.settings.deleteText")}</p>
      <Button variant="danger" onClick={() => setOpen(true)}>
        {t("account.settings.delete")}
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={t("account.settings.deleteTitle")}
        actions={
          <>
            <Button variant="outlined" onClick={close}>
              {t("account.settings.cancel")}
            </Button>
            {user.hasPassword && (
              <Button variant="danger" type="submit" form={formId} disabled={deletion.isPending}>
                {t(deletion.isPending ? "account.settings.deleting" : "account.settings.delete")}
              </Button>
            )}
          </>
        }
      >
        <ul className="grid list-disc gap-2 pl-5 text-[0.9375rem]">
          <li>{t("account.settings.deleteGone")}</li>
          {user.role !== "buyer" && <li>{t("account.settings.deleteTenders")}</li>}
          <li>{t("account.settings.deleteKept")}</li>
        </ul>
        <div className="mt-5 grid gap-4 text-ink">
          {user.hasPassword ? (
            <form id={formId} noValidate onSubmit={submit}>
              <PasswordField
                label={t("account.settings.deletePassword")}
                autoComplete="current-password"
                show={t("account.showPassword")}
                hide={t("account.hidePassword")}
                invalid={message !== null}
                messageId={messageId}
                {...register("password")}
              />
            </form>
          ) : (
            <>
              <p className="text-[0.9375rem]">{t("account.settings.proveByGoogle")}</p>
              <GoogleButton
                onCredential={(credential) => remove({ credential })}
                onError={() => setMessage(t("account.google.failed"))}
              />
            </>
          )}
          <FormMessage id={messageId}>{message}</FormMessage>
        </div>
      </Dialog>
    </div>
  );
}

export function PersonalData({ user }: { user: User }) {
  const { t } = useTranslation();
  return (
    <SectionCard title={t("account.settings.data")}>
      <div className="grid gap-5">
        <ExportData />
        <DeleteAccount user={user} />
      </div>
    </SectionCard>
  );
}
