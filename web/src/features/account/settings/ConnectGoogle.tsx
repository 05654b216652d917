// Letting a Google account sign in, and no more. Shown where the portal offers it, or where one is still connected.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { settings } from "@/api/settings.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { currentUser } from "@/shared/session/account.ts";
import { Button } from "@/ui/Button.tsx";
import { Part } from "@/ui/SectionCard.tsx";
import { toast } from "@/ui/toasts.ts";
import { GoogleButton } from "../google/GoogleButton.tsx";

export function ConnectGoogle({ user }: { user: User }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  // Nothing of Google is loaded before somebody asks for it.
  const [isAsked, setAsked] = useState(false);
  const keep = ({ user: saved }: { user: User }) => client.setQueryData(currentUser.queryKey, saved);
  const connect = useMutation({
    mutationFn: async (credential: string) =>
      keep(await call(api.PUT("/auth/google", { body: { credential } }))),
    retry: false,
    onSuccess: () => void toast.success(t("account.settings.googleConnected")),
    onError: (error) =>
      void toast.error(t("account.settings.googleConnectFailed"), { description: messageOf(error, "") }),
  });
  const disconnect = useMutation({
    mutationFn: async () => keep(await call(api.DELETE("/auth/google"))),
    onSuccess: () => void toast.success(t("account.settings.googleDisconnected")),
    onError: (error) =>
      void toast.error(t("account.settings.googleDisconnectFailed"), { description: messageOf(error, "") }),
  });
  if (!settings.googleClientId && !user.hasGoogle) return null;
  return (
    <Part title={t("account.settings.google")}>
      {user.hasGoogle ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-48 flex-1 text-[0.9375rem]">{t("account.settings.googleOn")}</p>
          {user.hasPassword && (
            <Button
              look="outlined"
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
          {isAsked ? (
            <GoogleButton
              onCredential={(credential) => connect.mutate(credential)}
              onError={() => void toast.error(t("account.settings.googleConnectFailed"))}
            />
          ) : (
            <Button look="outlined" className="justify-self-start" onClick={() => setAsked(true)}>
              {t("account.settings.googleConnect")}
            </Button>
          )}
        </div>
      ) : (
        <p className="text-[0.9375rem]">{t("account.settings.googleUnverified")}</p>
      )}
    </Part>
  );
}
