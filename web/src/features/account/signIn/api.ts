// The API requests of sign-in and registration, and of the links in mails.

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call, session } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { components } from "@/api/schema.gen.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";
import { currentUser } from "@/shared/session/account.ts";
import { clearAccountData } from "@/shared/session/signOut.ts";
import { toast } from "@/ui/toasts.ts";

export interface Credentials {
  email: string;
  password: string;
  /** Whether the session continues after the browser is closed. */
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
  /** The role of a new account. */
  role?: "supplier" | "buyer";
  /** Whether the session continues after the browser is closed. The default is true. */
  remember?: boolean;
}

interface SignInReply {
  token: string;
  refreshToken: string;
  user: User;
}

export type SecondFactorChallenge = components["schemas"]["SecondFactorChallenge"];

/** The answer to a right first factor: a session, or the challenge for the second step. */
type FirstFactorReply = SignInReply | SecondFactorChallenge;

function useOpenSession() {
  const client = useQueryClient();
  return ({ token, refreshToken, user }: SignInReply, isRemembered = true) => {
    clearAccountData(client);
    client.setQueryData(currentUser.queryKey, user);
    session.open(token, refreshToken, isRemembered);
  };
}

/** Opens the session of a reply. Returns the challenge if a second step is needed. */
function useFirstFactor() {
  const open = useOpenSession();
  return (reply: FirstFactorReply, isRemembered?: boolean): SecondFactorChallenge | null => {
    if ("challenge" in reply) return reply;
    open(reply, isRemembered);
    return null;
  };
}

/**
 * Signs in. The page redirects as soon as there is a signed-in user. The result is the challenge if
 * a second step is needed.
 */
export function useSignIn() {
  const { t } = useTranslation();
  const accept = useFirstFactor();
  return useMutation({
    mutationFn: async (body: Credentials) =>
      accept(await call<FirstFactorReply>(api.POST("/auth/login", { body })), body.remember),
    onSuccess: (challenge) => {
      if (!challenge) toast.success(t("account.login.success"), { id: "sign-in" });
    },
    onError: (error) =>
      toast.error(t("account.login.toastFailed"), {
        id: "sign-in",
        description: messageOf(error, t("account.login.toastFallback")),
      }),
  });
}

/** Proves the second factor and opens the session. The proof may ask the user for a passkey. */
export function useProveSecondFactor(isRemembered: boolean) {
  const { t } = useTranslation();
  const open = useOpenSession();
  return useMutation({
    mutationFn: async (proof: () => Promise<components["schemas"]["SecondFactorProof"]>) =>
      open(await call(api.POST("/auth/second-factor", { body: await proof() })), isRemembered),
    retry: false,
    onSuccess: () => toast.success(t("account.login.success"), { id: "sign-in" }),
  });
}

/**
 * The nonce that Google puts into ID tokens for this page. All buttons of the page share it. The server
 * accepts it for half an hour.
 */
export const googleNonce = queryOptions({
  queryKey: ["google-nonce"],
  queryFn: async ({ signal }) => (await call(api.POST("/auth/google/nonce", { signal }))).nonce,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchInterval: 20 * MINUTE,
  refetchIntervalInBackground: true,
});

/**
 * Signs in with a Google credential. `null` means that Google returned no credential. The result is
 * the challenge if a second step is needed. Never retried.
 */
export function useGoogleSignIn() {
  const { t } = useTranslation();
  const accept = useFirstFactor();
  return useMutation({
    mutationFn: async (body: GoogleSignInForm | null) => {
      if (!body) throw new Error("Google returned no credential");
      return accept(await call<FirstFactorReply>(api.POST("/auth/google", { body })), body.remember);
    },
    retry: false,
    onSuccess: (challenge) => {
      if (!challenge) toast.success(t("account.google.success"));
    },
    onError: (error) =>
      void toast.error(t("account.google.toastFailed"), {
        description: messageOf(error, t("account.google.toastFallback")),
      }),
  });
}

/**
 * Creates an account and signs in. Never retried: the first request may have reached the server.
 */
export function useRegister() {
  const { t } = useTranslation();
  const open = useOpenSession();
  return useMutation({
    mutationFn: async (body: Registration) => open(await call(api.POST("/auth/register", { body }))),
    retry: false,
    onSuccess: (_, { email }) =>
      toast.success(t("account.register.success"), {
        id: "sign-in",
        description: t("account.verify.inbox", { email }),
      }),
    onError: (error) =>
      toast.error(t("account.register.toastFailed"), {
        id: "sign-in",
        description: messageOf(error, t("account.register.toastFallback")),
      }),
  });
}

// Links in mails

/** Requests a mail with a link for choosing a new password. */
export function useForgotPassword() {
  return useMutation({
    mutationFn: (email: string) => call(api.POST("/auth/forgot-password", { body: { email } })),
  });
}

/** Sets a new password with the token of a mailed link. Never retried: a token works once. */
export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { token: string; password: string; withdrawAccess: boolean }) =>
      call(api.PUT("/auth/reset-password", { body })),
    retry: false,
  });
}

/** Confirms an e-mail address with the token of a mailed link. Never retried. */
export function useVerifyEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => call(api.POST("/auth/verify-email", { body: { token } })),
    retry: false,
    onSuccess: () => void client.invalidateQueries({ queryKey: currentUser.queryKey }),
  });
}

/** Sends the confirmation mail again. */
export function useResendVerification() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: () => call(api.POST("/auth/resend-verification")),
    onSuccess: () => toast.success(t("account.settings.resent")),
    onError: (error) =>
      toast.error(t("account.settings.resendFailed"), { description: messageOf(error, "") }),
  });
}
