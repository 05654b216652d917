// Signing up and in, and what each leaves behind in the cache and on the screen.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call, session } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { currentUser } from "@/shared/session/account.ts";
import { forgetAccountData } from "@/shared/session/signOut.ts";
import { toast } from "@/ui/toasts.ts";

export interface Credentials {
  email: string;
  password: string;
  /** Whether the session outlasts the browser. */
  remember: boolean;
}

export interface Registration {
  email: string;
  password: string;
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
  /** Whether the session outlasts the browser; it does unless it is said not to. */
  remember?: boolean;
}

interface Opened {
  token: string;
  refreshToken: string;
  user: User;
}

function useOpenSession() {
  const client = useQueryClient();
  return ({ token, refreshToken, user }: Opened, isRemembered = true) => {
    forgetAccountData(client);
    client.setQueryData(currentUser.queryKey, user);
    session.open(token, refreshToken, isRemembered);
  };
}

/** Signs in; the page that asked sees the account change and moves on. */
export function useSignIn() {
  const { t } = useTranslation();
  const open = useOpenSession();
  return useMutation({
    mutationFn: async (body: Credentials) =>
      open(await call(api.POST("/auth/login", { body })), body.remember),
    onSuccess: () => toast.success(t("account.login.success"), { id: "sign-in" }),
    onError: (error) =>
      toast.error(t("account.login.toastFailed"), {
        id: "sign-in",
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
      open(await call(api.POST("/auth/google", { body })), body.remember);
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
    onSuccess: () => toast.success(t("account.register.success"), { id: "sign-in" }),
    onError: (error) =>
      toast.error(t("account.register.toastFailed"), {
        id: "sign-in",
        description: messageOf(error, t("account.register.toastFallback")),
      }),
  });
}
