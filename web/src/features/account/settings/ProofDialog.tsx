// A dialog that asks the user to prove who they are before a change of the account: with the
// password, or with Google if the account has no password.

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { GoogleButton } from "../google/GoogleButton.tsx";
import type { Proof } from "./api.ts";
import { CurrentPasswordField } from "./CurrentPasswordField.tsx";

export function ProofDialog({
  user,
  title,
  action,
  busyAction = action,
  failedText,
  isDestructive = false,
  onProof,
  onClose,
  children,
}: {
  user: User;
  title: string;
  /** The label of the button that makes the change. */
  action: string;
  /** The label of that button during the change. */
  busyAction?: string;
  /** The message for an error without one. */
  failedText?: string;
  isDestructive?: boolean;
  /** Makes the change. The dialog shows why it fails. */
  onProof: (proof: Proof) => Promise<unknown>;
  onClose: () => void;
  /** What the change does, and further fields. */
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const formId = useId();
  const messageId = useId();
  const [password, setPassword] = useState("");
  const [message, setMessage] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const send = async (proof: Proof) => {
    setPending(true);
    setMessage(null);
    try {
      await onProof(proof);
    } catch (error) {
      setMessage(messageOf(error, failedText ?? t("account.settings.saveFailed")));
    } finally {
      setPending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password === "") setMessage(t("account.need.password"));
    else void send({ password });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("account.settings.cancel")}
          </Button>
          {user.hasPassword && (
            <Button
              variant={isDestructive ? "danger" : "filled"}
              type="submit"
              form={formId}
              disabled={isPending}
            >
              {isPending ? busyAction : action}
            </Button>
          )}
        </>
      }
    >
      <form id={formId} noValidate className="grid gap-4 text-ink" onSubmit={submit}>
        {children}
        {user.hasPassword ? (
          <CurrentPasswordField
            value={password}
            invalid={message !== null}
            messageId={messageId}
            onChange={setPassword}
          />
        ) : (
          <>
            <p className="text-[0.9375rem]">{t("account.settings.proveByGoogle")}</p>
            <GoogleButton
              onCredential={(credential) => void send({ credential })}
              onError={() => setMessage(t("account.google.failed"))}
            />
          </>
        )}
        <FormMessage id={messageId}>{message}</FormMessage>
      </form>
    </Dialog>
  );
}
