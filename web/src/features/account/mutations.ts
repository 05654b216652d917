// Signing up, in and out, and what each leaves behind in the cache and on the screen.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import { api, call, session } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { paths } from "@/app/paths.ts";
import { currentUser } from "./queries.ts";

export interface Credentials {
  email: string;
  password: string;
}

export interface Registration extends Credentials {
  firstName: string;
  lastName: string;
  phone?: string;
  company?: string;
  role: "supplier" | "buyer";
}

export interface GoogleSignInForm {
  credential: string;
  /** Of the account that is opened where there is none. */
  role?: "supplier" | "buyer";
}

interface Opened {
  token: string;
  refreshToken: string;
  user: User;
}

/** Drops all that was fetched for one account, so that the next sees none of it. The portal's health is nobody's. */
export function forgetAccountData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "health" });
}

function useOpenSession() {
  const client = useQueryClient();
  return ({ token, refreshToken, user }: Opened) => {
    forgetAccountData(client);
    client.setQueryData(currentUser.queryKey, user);
    session.write(token, refreshToken);
  };
}

/** Signs in; the page that asked sees the account change and moves on. */
export function useSignIn() {
  const { t } = useTranslation();
  const open = useOpenSession();
  return useMutation({
    mutationFn: async (body: Credentials) => open(await call(api.POST("/auth/login", { body }))),
    onSuccess: () => void toast.success(t("account.login.success")),
    onError: (error) =>
      void toast.error(t("account.login.toastFailed"), {
        description: messageOf(error, t("account.login.toastFallback")),
      }),
  });
}

/** Signs in with what Google answered; `null` is an answer without a credential. Never sent twice. */
export function useGoogleSignIn() {
  const { t } = useTranslation();
  const open = useOpenSession();
  return useMutation({
    mutationFn: async (body: GoogleSignInForm | null) => {
      if (!body) throw new Error("Google answered without a credential");
      open(await call(api.POST("/auth/google", { body })));
    },
    retry: false,
    onSuccess: () => void toast.success(t("account.google.success")),
    onError: (error) =>
      void toast.error(t("account.google.toastFailed"), {
        description: messageOf(error, t("account.google.toastFallback")),
      }),
  });
}

/** Creates an account and signs in. Never sent twice: the first may have been heard. */
export function useRegister() {
  const { t } = useTranslation();
  const open = useOpenSession();
  return useMutation({
    mutationFn: async (body: Registration) => open(await call(api.POST("/auth/register", { body }))),
    retry: false,
    onSuccess: () => void toast.success(t("account.register.success")),
    onError: (error) =>
      void toast.error(t("account.register.toastFailed"), {
        description: messageOf(error, t("account.register.toastFallback")),
      }),
  });
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
      forgetAccountData(client);
      toast.success(t("account.signedOut"));
    },
  });
}
