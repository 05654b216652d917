// Changes the user's password, or sets the first one.

import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { Checkbox, PasswordField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { toast } from "@/ui/toasts.ts";
import { useForgotPassword } from "../signIn/api.ts";
import { MIN_PASSWORD_LENGTH } from "../signIn/forms.ts";
import { useChangePassword } from "./api.ts";

/** The form for the password, or the way to the first one. */
export function Password({ user }: { user: User }) {
  return user.hasPassword ? <PasswordForm /> : <SetPassword email={user.email} />;
}

function PasswordForm() {
  const { t } = useTranslation();
  const messageId = useId();
  const [message, setMessage] = useState<string | null>(null);
  const { register, handleSubmit, reset } = useForm({
    defaultValues: { currentPassword: "", newPassword: "", withdrawAccess: false },
  });
  const change = useChangePassword();
  const submit = handleSubmit((form) => {
    const problem =
      form.currentPassword === "" || form.newPassword === ""
        ? t("account.login.missing")
        : form.newPassword.length < MIN_PASSWORD_LENGTH
          ? t("account.register.tooShort")
          : null;
    setMessage(problem);
    if (problem) return;
    change.mutate(form, {
      onSuccess: () => reset(),
      onError: (error) => setMessage(messageOf(error, t("account.settings.saveFailed"))),
    });
  });
  const toggleLabels = { show: t("account.showPassword"), hide: t("account.hidePassword") };
  const errorProps = { invalid: message !== null, messageId };
  return (
    <SectionCard title={t("account.settings.password")}>
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <div className="grid gap-5 sm:grid-cols-2">
          <PasswordField
            label={t("account.settings.currentPassword")}
            autoComplete="current-password"
            {...toggleLabels}
            {...errorProps}
            {...register("currentPassword")}
          />
          <PasswordField
            label={t("account.settings.newPassword")}
            help={t("account.register.passwordHint", { count: MIN_PASSWORD_LENGTH })}
            autoComplete="new-password"
            {...toggleLabels}
            {...errorProps}
            {...register("newPassword")}
          />
        </div>
        <Checkbox
          label={t("account.withdrawAccess")}
          help={t("account.withdrawAccessHelp")}
          {...register("withdrawAccess")}
        />
        <FormMessage id={messageId}>{message}</FormMessage>
        <Button type="submit" className="justify-self-start" disabled={change.isPending}>
          {t(change.isPending ? "account.settings.saving" : "account.settings.changePassword")}
        </Button>
      </form>
    </SectionCard>
  );
}

/** Lets a user without a password set one, through the mail for forgotten passwords. */
function SetPassword({ email }: { email: string }) {
  const { t } = useTranslation();
  const request = useForgotPassword();
  return (
    <SectionCard title={t("account.settings.password")}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-48 flex-1 text-[0.9375rem]">{t("account.settings.noPassword", { email })}</p>
        <Button
          variant="outlined"
          size="small"
          disabled={request.isPending || request.isSuccess}
          onClick={() =>
            request.mutate(email, {
              onSuccess: () => void toast.success(t("account.settings.resent")),
              onError: (error) =>
                void toast.error(t("account.settings.resendFailed"), { description: messageOf(error, "") }),
            })
          }
        >
          {t("account.settings.mailPassword")}
        </Button>
      </div>
    </SectionCard>
  );
}
