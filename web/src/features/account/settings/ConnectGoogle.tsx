// Connects or disconnects a Google account for signing in. Both need the password, because a session may
// be stolen or left open. Nothing is shown if the portal does not offer Google sign-in and no Google
// account is connected.

import { useId, useState } from "react";
import { messageOf } from "@/api/error.ts";
import { settings } from "@/api/settings.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { GoogleButton } from "../google/GoogleButton.tsx";
import { useConnectGoogle, useDisconnectGoogle } from "./api.ts";
import { CurrentPasswordField } from "./CurrentPasswordField.tsx";
import { ProofDialog } from "./ProofDialog.tsx";

/** Asks for the password and for a sign-in with the Google account. */
function ConnectDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const messageId = useId();
  const [password, setPassword] = useState("");
  const [message, setMessage] = useState<string | null>(null);
  const connect = useConnectGoogle();
  const send = (credential: string) => {
    if (password === "") {
      setMessage(t("account.need.password"));
      return;
    }
    setMessage(null);
    connect.mutate(
      { credential, password },
      {
        onSuccess: onClose,
        onError: (error) => setMessage(messageOf(error, t("account.settings.googleConnectFailed"))),
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("account.settings.googleConnect")}
      actions={
        <Button variant="outlined" onClick={onClose}>
          {t("account.settings.cancel")}
        </Button>
      }
    >
      <form noValidate className="grid gap-4 text-ink" onSubmit={(event) => event.preventDefault()}>
        <p className="text-[0.9375rem]">{t("account.settings.googleConnectText")}</p>
        <CurrentPasswordField
          value={password}
          invalid={message !== null}
          messageId={messageId}
          onChange={setPassword}
        />
        <GoogleButton
          onCredential={send}
          onError={() => setMessage(t("account.settings.googleConnectFailed"))}
        />
        <FormMessage id={messageId}>{message}</FormMessage>
      </form>
    </Dialog>
  );
}

export function ConnectGoogle({ user }: { user: User }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<"connect" | "disconnect" | null>(null);
  const close = () => setDialog(null);
  const disconnect = useDisconnectGoogle();
  if (!settings.googleClientId && !user.hasGoogle) return null;
  return (
    <SectionCard title={t("account.settings.google")}>
      {user.hasGoogle ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-48 flex-1 text-[0.9375rem]">{t("account.settings.googleOn")}</p>
          {user.hasPassword && (
            <Button variant="outlined" size="small" onClick={() => setDialog("disconnect")}>
              {t("account.settings.googleDisconnect")}
            </Button>
          )}
        </div>
      ) : user.emailVerified ? (
        <div className="grid gap-4">
          <p className="text-[0.9375rem]">{t("account.settings.googleOff")}</p>
          <Button variant="outlined" className="justify-self-start" onClick={() => setDialog("connect")}>
            {t("account.settings.googleConnect")}
          </Button>
        </div>
      ) : (
        <p className="text-[0.9375rem]">{t("account.settings.googleUnverified")}</p>
      )}
      {/* Google's script is loaded only after the user has opened the dialog. */}
      {dialog === "connect" && <ConnectDialog onClose={close} />}
      {dialog === "disconnect" && (
        <ProofDialog
          user={user}
          isDestructive
          title={t("account.settings.googleDisconnectTitle")}
          action={t("account.settings.googleDisconnect")}
          failedText={t("account.settings.googleDisconnectFailed")}
          onClose={close}
          onProof={async (proof) => {
            // Only users with a password can disconnect Google.
            if ("password" in proof) await disconnect.mutateAsync(proof);
            close();
          }}
        >
          <p className="text-[0.9375rem]">{t("account.settings.googleDisconnectText")}</p>
        </ProofDialog>
      )}
    </SectionCard>
  );
}
