// Shows session events as toasts, and follows sign-in and sign-out in other tabs.

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
        // The end of a session alone is not reported, because guests can read public pages.
        if (event !== "unauthorized") return;
        const reason = session.hasLapsed ? "expired" : "denied";
        // One toast for many calls that fail together.
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
