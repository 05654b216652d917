// Shows a toast when a call is denied. Clears the account's data after a sign-in or sign-out in
// another tab.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { session } from "@/api/client.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { clearAccountData } from "@/shared/session/signOut.ts";
import { toast } from "@/ui/toasts.ts";

export function useSessionToasts(): void {
  const { t } = useTranslation();
  const client = useQueryClient();

  useEffect(
    () =>
      session.onEvent((event) => {
        // The end of a session alone shows no toast, because guests can read public pages.
        if (event !== "unauthorized") return;
        const reason = session.hasLapsed ? "expired" : "denied";
        // Because of the id, calls that fail together share one toast.
        toast.error(t(`shell.session.${reason}.title`), {
          id: "session",
          description: t(`shell.session.${reason}.text`),
        });
      }),
    [t],
  );

  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      const signedInOrOut =
        event.key === "auth_token" && (event.oldValue === null || event.newValue === null);
      if (signedInOrOut) clearAccountData(client);
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, [client]);
}
