// Taking one's data along, and deleting the account for good.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { api, call, session } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { keepFile } from "@/api/file.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { forgetAccountData } from "@/shared/session/signOut.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { PasswordField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Part } from "@/ui/SectionCard.tsx";
import { toast } from "@/ui/toasts.ts";
import { GoogleButton } from "../google/GoogleButton.tsx";

function Export() {
  const { t } = useTranslation();
  const download = useMutation({
    mutationFn: async () => {
      keepFile(await api.GET("/auth/export", { parseAs: "blob" }), "serendib-tenders.json");
    },
    retry: false,
    onError: (error) =>
      void toast.error(t("account.settings.exportFailed"), { description: messageOf(error, "") }),
  });
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-[0.9375rem]">{t("account.settings.exportText")}</p>
      <Button look="outlined" disabled={download.isPending} onClick={() => download.mutate()}>
        {t(download.isPending ? "account.settings.exporting" : "account.settings.export")}
      </Button>
    </div>
  );
}

function Delete({ user }: { user: User }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const messageId = useId();
  const formId = useId();
  const [isOpen, setOpen] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const { register, handleSubmit, reset } = useForm({ defaultValues: { password: "" } });
  const remove = useMutation({
    mutationFn: (body: { password?: string; credential?: string }) =>
      call(api.POST("/auth/delete-account", { body })),
    retry: false,
    onSuccess: async () => {
      // Home first, as when one signs out: this page would ask to sign in.
      await navigate(paths.home, { flushSync: true });
      session.clear();
      forgetAccountData(client);
      toast.success(t("account.settings.deleted"));
    },
    onError: (error) => setMessage(messageOf(error, t("account.settings.deleteFailed"))),
  });
  const close = () => {
    setOpen(false);
    setMessage(null);
    reset();
  };
  const submit = handleSubmit(({ password }) => {
    setMessage(password === "" ? t("account.need.password") : null);
    if (password !== "") remove.mutate({ password });
  });
  return (
    <div className="grid justify-items-start gap-3 border-t border-line pt-5">
      <p className="text-[0.9375rem]">{t("account.settings.deleteText")}</p>
      <Button look="danger" onClick={() => setOpen(true)}>
        {t("account.settings.delete")}
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={t("account.settings.deleteTitle")}
        actions={
          <>
            <Button look="outlined" onClick={close}>
              {t("account.settings.cancel")}
            </Button>
            {user.hasPassword && (
              <Button look="danger" type="submit" form={formId} disabled={remove.isPending}>
                {t(remove.isPending ? "account.settings.deleting" : "account.settings.delete")}
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
                onCredential={(credential) => remove.mutate({ credential })}
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

export function YourData({ user }: { user: User }) {
  const { t } = useTranslation();
  return (
    <Part title={t("account.settings.data")}>
      <div className="grid gap-5">
        <Export />
        <Delete user={user} />
      </div>
    </Part>
  );
}
