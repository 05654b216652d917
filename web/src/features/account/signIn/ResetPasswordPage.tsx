// Sets a new password with the token of a mailed link.

import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useNavigate, useSearchParams } from "react-router";
import { session } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Button } from "@/ui/Button.tsx";
import { Checkbox, PasswordField, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Sheet } from "@/ui/Sheet.tsx";
import { toast } from "@/ui/toasts.ts";
import { useResetPassword } from "./api.ts";
import { MIN_PASSWORD_LENGTH } from "./forms.ts";

export function Component() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const reset = useResetPassword();
  const messageId = useId();
  const [message, setMessage] = useState<string | null>(null);
  const { register, handleSubmit } = useForm({
    defaultValues: { password: "", confirm: "", withdrawAccess: false },
  });
  const token = parameters.get("token") ?? "";
  const submit = handleSubmit(({ password, confirm, withdrawAccess }) => {
    const problem =
      password === ""
        ? t("account.register.missing")
        : password !== confirm
          ? t("account.register.mismatch")
          : password.length < MIN_PASSWORD_LENGTH
            ? t("account.register.tooShort")
            : null;
    setMessage(problem);
    if (problem) return;
    reset.mutate(
      { token, password, withdrawAccess },
      {
        onSuccess: async () => {
          // The server has ended every session, including this browser's.
          session.clear();
          toast.success(t("account.reset.done"));
          await navigate(paths.login, { replace: true });
        },
        onError: (error) => setMessage(messageOf(error, t("account.reset.failed"))),
      },
    );
  });
  return (
    <Sheet title={t("account.reset.title")} subtitle={t("account.reset.subtitle")}>
      <Metadata
        title={t("account.reset.title")}
        description={t("account.reset.subtitle")}
        keywords={t("account.login.keywords")}
        unlisted
      />
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <PasswordField
          label={t("account.reset.password")}
          help={t("account.register.passwordHint", { count: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          show={t("account.showPassword")}
          hide={t("account.hidePassword")}
          invalid={message !== null}
          messageId={messageId}
          {...register("password")}
        />
        <TextField
          label={t("account.register.confirmPassword")}
          type="password"
          autoComplete="new-password"
          invalid={message !== null}
          messageId={messageId}
          {...register("confirm")}
        />
        <Checkbox
          label={t("account.withdrawAccess")}
          help={t("account.withdrawAccessHelp")}
          {...register("withdrawAccess")}
        />
        <FormMessage id={messageId}>{message}</FormMessage>
        <Button type="submit" size="large" disabled={reset.isPending}>
          {t(reset.isPending ? "account.reset.busy" : "account.reset.submit")}
        </Button>
      </form>
      <p className="mt-6 text-center text-[0.9375rem]">
        <Link to={paths.forgotPassword} className="inline-block py-2 font-semibold text-accent underline">
          {t("account.reset.again")}
        </Link>
      </p>
    </Sheet>
  );
}
