// Connects or disconnects a Google account for signing in. Nothing is shown if the portal does not
// offer Google sign-in and no Google account is connected.

import { useState } from "react";
import { settings } from "@/api/settings.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { toast } from "@/ui/toasts.ts";
import { useConnectGoogle, useDisconnectGoogle } from "../api.ts";
import { GoogleButton } from "../google/GoogleButton.tsx";

export function ConnectGoogle({ user }: { user: User }) {
  const { t } = useTranslation();
  // Google's script is loaded only after the user has asked for Google's button.
  const [isButtonShown, setButtonShown] = useState(false);
  const connect = useConnectGoogle();
  const disconnect = useDisconnectGoogle();
  if (!settings.googleClientId && !user.hasGoogle) return null;
  return (
    <SectionCard title={t("account.settings.google")}>
      {user.hasGoogle ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-48 flex-1 text-[0.9375rem]">{t("account.settings.googleOn")}</p>
          {user.hasPassword && (
            <Button
              variant="outlined"
              size="small"
              disabled={disconnect.isPending}
              onClick={() => disconnect.mutate()}
            >
              {t("account.settings.googleDisconnect")}
            </Button>
          )}
        </div>
      ) : user.emailVerified ? (
        <div className="grid gap-4">
          <p className="text-[0.9375rem]">{t("account.settings.googleOff")}</p>
          {isButtonShown ? (
            <GoogleButton
              onCredential={(credential) => connect.mutate(credential)}
              onError={() => void toast.error(t("account.settings.googleConnectFailed"))}
            />
          ) : (
            <Button variant="outlined" className="justify-self-start" onClick={() => setButtonShown(true)}>
              {t("account.settings.googleConnect")}
            </Button>
          )}
        </div>
      ) : (
        <p className="text-[0.9375rem]">{t("account.settings.googleUnverified")}</p>
      )}
    </SectionCard>
  );
}
