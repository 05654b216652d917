// Signing out, and forgetting what was fetched for an account.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, call, session } from "@/api/client.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { toast } from "@/ui/toasts.ts";

/** Drops all that was fetched for one account, so that the next sees none of it. The portal's health is nobody's. */
export function clearAccountData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "health" });
}

/** Signs out and goes home, whatever the server says to it. */
export function useSignOut() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => {
      const refreshToken = session.read()?.refreshToken;
      return call(api.POST("/auth/logout", { body: refreshToken ? { refreshToken } : {} }));
    },
    retry: false,
    onSettled: async () => {
      // Home first, and on the screen: a protected page would answer the end of the session by asking to sign in.
      await navigate(paths.home, { flushSync: true });
      session.clear();
      clearAccountData(client);
      toast.success(t("shell.session.signedOut"));
    },
  });
}
