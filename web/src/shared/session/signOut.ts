// Signs out and clears the data of the account.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, call, session } from "@/api/client.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { toast } from "@/ui/toasts.ts";
import { forgetIntendedPath } from "./intendedPath.ts";

/**
 * Removes all cached data of an account, so that the next user can't see it. The portal's health
 * belongs to no account.
 */
export function clearAccountData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "health" });
}

/**
 * Signs out and navigates to Home. If the server cannot end the session, this browser forgets it, and
 * the user is told.
 */
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
    onSettled: async (_answer, error) => {
      // Navigate first: a protected page would react to the end of the session with a redirect to
      // sign-in.
      await navigate(paths.home, { flushSync: true });
      session.clear();
      forgetIntendedPath();
      clearAccountData(client);
      if (error) toast.error(t("shell.session.signedOutHere"));
      else toast.success(t("shell.session.signedOut"));
    },
  });
}
