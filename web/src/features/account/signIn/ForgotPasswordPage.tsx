// Requests a mail for resetting the password. The response never reveals whether an account exists.

import { MailCheck } from "lucide-react";
import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { Link } from "react-router";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Sheet } from "@/ui/Sheet.tsx";
import { useForgotPassword } from "./api.ts";

export function Component() {
  const { t } = useTranslation();
  const request = useForgotPassword();
  const messageId = useId();
  const [message, setMessage] = useState<string | null>(null);
  const { register, handleSubmit, getValues } = useForm({ defaultValues: { email: "" } });
  const submit = handleSubmit(({ email }) => {
    setMessage(email.trim() === "" ? t("account.need.email") : null);
    if (email.trim() === "") return;
    request.mutate(email.trim(), {
      onError: (error) => setMessage(messageOf(error, t("account.forgot.failed"))),
    });
  });
  return (
    <Sheet title={t("account.forgot.title")} subtitle={t("account.forgot.subtitle")}>
      <Metadata
        title={t("account.forgot.title")}
        description={t("account.forgot.description")}
        keywords={t("account.login.keywords")}
        unlisted
      />
      {request.isSuccess ? (
        <div role="status" className="flex items-start gap-3 rounded-lg bg-good-wash px-4 py-3 text-good">
          <MailCheck size={20} aria-hidden className="mt-0.5 shrink-0" />
          <p>{t("account.forgot.sent", { email: getValues("email").trim() })}</p>
        </div>
      ) : (
        <form noValidate className="grid gap-5" onSubmit={submit}>
          <TextField
            label={t("account.login.email")}
            type="email"
            inputMode="email"
            autoComplete="username"
            invalid={message !== null}
            messageId={messageId}
            {...register("email")}
          />
          <FormMessage id={messageId}>{message}</FormMessage>
          <Button type="submit" size="large" disabled={request.isPending}>
            {t(request.isPending ? "account.forgot.busy" : "account.forgot.submit")}
          </Button>
        </form>
      )}
      <p className="mt-6 text-center text-[0.9375rem]">
        <Link to={paths.login} className="inline-block py-2 font-semibold text-accent underline">
          {t("account.forgot.back")}
        </Link>
      </p>
    </Sheet>
  );
}
