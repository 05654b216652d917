// The session's events as the user sees them: toasts, and tabs that follow each other in and out.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { session } from "@/api/client.ts";
import { forgetAccountData } from "./mutations.ts";

export function useSessionToasts(): void {
  const { t } = useTranslation();
  const client = useQueryClient();

  useEffect(
    () =>
      session.onEvent((event) => {
        const words = event === "token-expired" ? "expired" : "denied";
        // One toast for many calls that fail together.
        toast.error(t(`account.${words}.title`), { id: event, description: t(`account.${words}.text`) });
      }),
    [t],
  );

  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      const signedInOrOut =
        event.key === "auth_token" && (event.oldValue === null || event.newValue === null);
      if (signedInOrOut) forgetAccountData(client);
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, [client]);
}
