// Changes the account's e-mail address. The change takes effect when the user confirms it through
// a mailed link.

import { MailCheck } from "lucide-react";
import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { PasswordField, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { GoogleButton } from "../google/GoogleButton.tsx";
import { useChangeEmail } from "./api.ts";

export function ChangeEmail({ user }: { user: User }) {
  const { t } = useTranslation();
  const messageId = useId();
  const [message, setMessage] = useState<string | null>(null);
  /** Whether to show the Google button. Users without a password prove their identity with it. */
  const [isConfirming, setConfirming] = useState(false);
  const { register, handleSubmit, getValues, reset } = useForm({
    defaultValues: { email: "", password: "" },
  });
  const change = useChangeEmail();
  /**
   * Shows what is missing, and returns whether the form is complete. A `password` of `null` means
   * that no password is needed.
   */
  const check = (password: string | null): boolean => {
    const isBlank = getValues("email").trim() === "";
    const problem = isBlank
      ? t("account.settings.needAddress")
      : password === ""
        ? t("account.need.password")
        : null;
    setMessage(problem);
    return problem === null;
  };
  /** Requests the change. The proof of identity is the password or a Google credential. */
  const send = (proof: { password: string } | { credential: string }) => {
    const password = "password" in proof ? proof.password : null;
    if (!check(password)) return;
    change.mutate(
      { email: getValues("email").trim(), ...proof },
      {
        onSuccess: () => {
          reset();
          setConfirming(false);
        },
        onError: (error) => setMessage(messageOf(error, t("account.settings.addressFailed"))),
      },
    );
  };
  const errorProps = { invalid: message !== null, messageId };
  return (
    <SectionCard title={t("account.settings.address")}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={handleSubmit(({ password }) => {
          if (user.hasPassword) send({ password });
          else if (check(null)) setConfirming(true);
        })}
      >
        <p className="text-[0.9375rem] break-words">
          {t("account.settings.addressNow", { email: user.email })}
        </p>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={t("account.settings.newAddress")}
            type="email"
            inputMode="email"
            autoComplete="email"
            {...errorProps}
            {...register("email")}
          />
          {user.hasPassword && (
            <PasswordField
              label={t("account.settings.deletePassword")}
              autoComplete="current-password"
              show={t("account.showPassword")}
              hide={t("account.hidePassword")}
              {...errorProps}
              {...register("password")}
            />
          )}
        </div>
        <FormMessage id={messageId}>{message}</FormMessage>
        {change.isSuccess && !message && (
          <div role="status" className="flex items-start gap-3 rounded-lg bg-good-wash px-4 py-3 text-good">
            <MailCheck size={20} aria-hidden className="mt-0.5 shrink-0" />
            <p className="min-w-0 break-words">{t("account.settings.addressSent", { email: change.data })}</p>
          </div>
        )}
        {isConfirming ? (
          <div className="grid gap-3">
            <p className="text-[0.9375rem]">{t("account.settings.proveByGoogle")}</p>
            <GoogleButton
              onCredential={(credential) => send({ credential })}
              onError={() => setMessage(t("account.google.failed"))}
            />
          </div>
        ) : (
          <Button type="submit" className="justify-self-start" disabled={change.isPending}>
            {t(change.isPending ? "account.settings.changingAddress" : "account.settings.changeAddress")}
          </Button>
        )}
      </form>
    </SectionCard>
  );
}
