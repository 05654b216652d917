// Asks for a code of the authenticator app, a passkey or a recovery code.

import { KeyRound } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { messageOf } from "@/api/error.ts";
import type { components } from "@/api/schema.gen.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { answerWithPasskey, PasskeyCancelled, supportsPasskeys } from "./passkeys.ts";

/** Returns the proof for the server. It may ask the user for a passkey. */
export type GetProof = () => Promise<components["schemas"]["SecondFactorProof"]>;

export function SecondFactorForm({
  challenge: { challenge, acceptsTotp, passkeyOptions },
  passkeyText,
  action,
  isPending,
  error,
  failedText,
  onProof,
  onOtherWay,
  children,
}: {
  challenge: components["schemas"]["SecondFactorChallenge"];
  /** The text if the user has passkeys only. */
  passkeyText: string;
  /** The label of the button that sends the code. */
  action: string;
  isPending: boolean;
  /** Why the last proof failed. */
  error: Error | null;
  /** The message for an error without one. */
  failedText: string;
  onProof: (proof: GetProof) => void;
  /** Called when the user chooses another way. */
  onOtherWay: () => void;
  /** A further button. */
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const messageId = useId();
  const [typesRecoveryCode, setTypesRecoveryCode] = useState(false);
  const [code, setCode] = useState("");
  const options = passkeyOptions && supportsPasskeys() ? passkeyOptions : null;
  const hasField = typesRecoveryCode || acceptsTotp;
  const message =
    error &&
    (error instanceof PasskeyCancelled ? t("account.secondFactor.cancelled") : messageOf(error, failedText));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const proof = typesRecoveryCode ? { recoveryCode: code } : { code };
    onProof(async () => ({ challenge, ...proof }));
  };
  return (
    <div className="grid gap-5">
      <p className="text-[0.9375rem] text-ink-soft">
        {typesRecoveryCode
          ? t("account.secondFactor.recoveryText")
          : acceptsTotp
            ? t("account.secondFactor.codeText")
            : passkeyText}
      </p>
      {options && !typesRecoveryCode && (
        <Button
          size="large"
          variant={acceptsTotp ? "outlined" : "filled"}
          disabled={isPending}
          onClick={() => onProof(async () => ({ challenge, passkey: await answerWithPasskey(options) }))}
        >
          <KeyRound size={18} aria-hidden />
          {t("account.secondFactor.usePasskey")}
        </Button>
      )}
      {hasField ? (
        <form noValidate className="grid gap-5" onSubmit={submit}>
          <TextField
            key={typesRecoveryCode ? "recovery" : "code"}
            label={t(typesRecoveryCode ? "account.secondFactor.recoveryCode" : "account.secondFactor.code")}
            autoFocus
            autoComplete={typesRecoveryCode ? "off" : "one-time-code"}
            inputMode={typesRecoveryCode ? "text" : "numeric"}
            spellCheck={false}
            value={code}
            invalid={message !== null}
            messageId={messageId}
            onChange={(event) => setCode(event.target.value)}
          />
          <FormMessage id={messageId}>{message}</FormMessage>
          <Button type="submit" size="large" disabled={isPending || code.trim() === ""}>
            {action}
          </Button>
        </form>
      ) : (
        <FormMessage id={messageId}>{message}</FormMessage>
      )}
      <div className="flex flex-wrap justify-between gap-3">
        <Button
          variant="plain"
          size="small"
          onClick={() => {
            setTypesRecoveryCode(!typesRecoveryCode);
            setCode("");
            onOtherWay();
          }}
        >
          {t(typesRecoveryCode ? "account.secondFactor.otherWay" : "account.secondFactor.useRecoveryCode")}
        </Button>
        {children}
      </div>
    </div>
  );
}
