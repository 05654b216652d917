// The second step of a sign-in: a code of the authenticator app, a passkey or a recovery code.

import { KeyRound } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { type SecondFactorChallenge, useProveSecondFactor } from "../api.ts";
import { answerWithPasskey, PasskeyCancelled, supportsPasskeys } from "../passkeys.ts";

export function SecondFactorStep({
  challenge: { challenge, acceptsTotp, passkeyOptions },
  remember,
  onCancel,
}: {
  challenge: SecondFactorChallenge;
  /** Whether the session continues after the browser is closed. */
  remember: boolean;
  /** Returns to the first step. */
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const messageId = useId();
  const [typesRecoveryCode, setTypesRecoveryCode] = useState(false);
  const [code, setCode] = useState("");
  const prove = useProveSecondFactor(remember);
  const options = passkeyOptions && supportsPasskeys() ? passkeyOptions : null;
  const hasField = typesRecoveryCode || acceptsTotp;
  const message =
    prove.error &&
    (prove.error instanceof PasskeyCancelled
      ? t("account.secondFactor.cancelled")
      : messageOf(prove.error, t("account.login.failed")));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const proof = typesRecoveryCode ? { recoveryCode: code } : { code };
    prove.mutate(async () => ({ challenge, ...proof }));
  };
  return (
    <div className="grid gap-5">
      <p className="text-[0.9375rem] text-ink-soft">
        {t(
          typesRecoveryCode
            ? "account.secondFactor.recoveryText"
            : acceptsTotp
              ? "account.secondFactor.codeText"
              : "account.secondFactor.passkeyText",
        )}
      </p>
      {options && !typesRecoveryCode && (
        <Button
          size="large"
          variant={acceptsTotp ? "outlined" : "filled"}
          disabled={prove.isPending}
          onClick={() => prove.mutate(async () => ({ challenge, passkey: await answerWithPasskey(options) }))}
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
          <Button type="submit" size="large" disabled={prove.isPending || code.trim() === ""}>
            {t(prove.isPending ? "account.login.busy" : "account.login.submit")}
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
            prove.reset();
          }}
        >
          {t(typesRecoveryCode ? "account.secondFactor.otherWay" : "account.secondFactor.useRecoveryCode")}
        </Button>
        <Button variant="plain" size="small" onClick={onCancel}>
          {t("account.secondFactor.back")}
        </Button>
      </div>
    </div>
  );
}
