// The API requests of the account feature: sign-in and registration, the account's settings, its
// notification channels, its team and its API keys.

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, call, session } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { saveFile } from "@/api/saveFile.ts";
import type { components } from "@/api/schema.gen.ts";
import type { KeyScope, User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { notificationChannels } from "@/shared/notificationChannels.ts";
import { paths } from "@/shared/paths.ts";
import { MINUTE } from "@/shared/queryDefaults.ts";
import { createPasskey } from "@/shared/secondFactor/passkeys.ts";
import { withSecondFactor } from "@/shared/secondFactor/request.ts";
import { currentUser } from "@/shared/session/account.ts";
import { clearAccountData } from "@/shared/session/signOut.ts";
import { toast } from "@/ui/toasts.ts";

/** The proof of identity that changes of credentials need. */
export type Proof = { password: string } | { credential: string };

// Sign-in and registration

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
    onSuccess: () => toast.success(t("account.register.success"), { id: "sign-in" }),
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

// Profile, password and sessions

export interface ProfileFields {
  firstName: string;
  lastName: string;
  phone: string;
  company: string;
}

export function useSaveProfile() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: ProfileFields) => (await call(api.PUT("/auth/profile", { body }))).user,
    onSuccess: (user) => {
      client.setQueryData(currentUser.queryKey, user);
      toast.success(t("account.settings.saved"));
    },
  });
}

type MailPreferences = Pick<
  components["schemas"]["ProfileForm"],
  "language" | "weeklySummary" | "savedMails"
>;

export function useSaveMailPreferences() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: MailPreferences) => (await call(api.PUT("/auth/profile", { body }))).user,
    onSuccess: (user) => {
      client.setQueryData(currentUser.queryKey, user);
      toast.success(t("account.settings.mails.changed"), { id: "mails" });
    },
    onError: (error) =>
      toast.error(t("account.settings.mails.failed"), { id: "mails", description: messageOf(error, "") }),
  });
}

/** Changes the password and ends all other sessions. */
export function useChangePassword() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string; withdrawAccess: boolean }) =>
      withSecondFactor(() => call(api.PUT("/auth/change-password", { body }))),
    retry: false,
    onSuccess: () => {
      toast.success(t("account.settings.passwordChanged"));
      void client.invalidateQueries({ queryKey: mySessions.queryKey });
    },
  });
}

/**
 * Requests a change of the account's e-mail address. The result is the new address, to which the
 * server mails a confirmation link.
 */
export function useChangeEmail() {
  return useMutation({
    mutationFn: async (body: { email: string; password?: string; credential?: string }) => {
      await withSecondFactor(() => call(api.POST("/auth/change-email", { body })));
      return body.email;
    },
    retry: false,
  });
}

/** The browsers in which the current user is signed in. */
export const mySessions = queryOptions({
  queryKey: ["me", "sessions"],
  queryFn: async ({ signal }) => (await call(api.GET("/auth/sessions", { signal }))).sessions,
});

/** Ends all sessions except the one of this browser. */
export function useEndOtherSessions() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.DELETE("/auth/sessions")),
    onSuccess: () => toast.success(t("account.settings.othersEnded")),
    onSettled: () => void client.invalidateQueries({ queryKey: mySessions.queryKey }),
    onError: (error) => toast.error(t("account.settings.endFailed"), { description: messageOf(error, "") }),
  });
}

export function useEndSession() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.DELETE("/auth/sessions/{id}", { params: { path: { id } } })),
    onSettled: () => void client.invalidateQueries({ queryKey: mySessions.queryKey }),
    onError: (error) => toast.error(t("account.settings.endFailed"), { description: messageOf(error, "") }),
  });
}

// Second factors

export type Passkey = components["schemas"]["Passkey"];

type RecoveryCodes = components["schemas"]["RecoveryCodes"];

/** The second factors of the current user. */
export const mySecondFactors = queryOptions({
  queryKey: ["me", "second-factors"],
  queryFn: ({ signal }) => call(api.GET("/auth/second-factors", { signal })),
});

/**
 * The changes of the second factors. Each reloads the user, whose role may depend on them. A change can
 * also end all other sessions.
 */
export function useSecondFactorChanges() {
  const { t } = useTranslation();
  const client = useQueryClient();
  /** Waits for a change, reloads what it affects, and tells the user. */
  const apply = async <Result>(change: Promise<Result>, message: string): Promise<Result> => {
    const result = await change;
    toast.success(message);
    await client.invalidateQueries({ queryKey: currentUser.queryKey });
    return result;
  };
  return {
    beginTotp: (proof: Proof) => withSecondFactor(() => call(api.POST("/auth/totp", { body: proof }))),
    confirmTotp: (code: string, endOtherSessions: boolean): Promise<RecoveryCodes> => {
      const body = { code, endOtherSessions };
      const confirmed = withSecondFactor(() => call(api.PUT("/auth/totp", { body })));
      return apply(confirmed, t("account.secondFactor.totpDone"));
    },
    removeTotp: (proof: Proof, endOtherSessions: boolean) => {
      const body = { ...proof, endOtherSessions };
      const removed = withSecondFactor(() => call(api.POST("/auth/totp/removal", { body })));
      return apply(removed, t("account.secondFactor.removed"));
    },
    addPasskey: async (name: string, proof: Proof, endOtherSessions: boolean): Promise<RecoveryCodes> => {
      const { options } = await withSecondFactor(() =>
        call(api.POST("/auth/passkeys/options", { body: proof })),
      );
      const credential = await createPasskey(options);
      const body = { name, credential, endOtherSessions };
      const added = withSecondFactor(() => call(api.POST("/auth/passkeys", { body })));
      return apply(added, t("account.secondFactor.passkeyDone"));
    },
    removePasskey: (id: string, proof: Proof, endOtherSessions: boolean) => {
      const [params, body] = [{ path: { id } }, { ...proof, endOtherSessions }];
      const removed = withSecondFactor(() => call(api.POST("/auth/passkeys/{id}/removal", { params, body })));
      return apply(removed, t("account.secondFactor.removed"));
    },
    renewCodes: (proof: Proof, endOtherSessions: boolean): Promise<RecoveryCodes> => {
      const body = { ...proof, endOtherSessions };
      const renewed = withSecondFactor(() => call(api.POST("/auth/recovery-codes", { body })));
      return apply(renewed, t("account.secondFactor.codesDone"));
    },
  };
}

// Google account

/** Connects the Google account of a credential to the signed-in account. The dialog shows an error. */
export function useConnectGoogle() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { credential: string; password: string }) =>
      (await withSecondFactor(() => call(api.PUT("/auth/google", { body })))).user,
    retry: false,
    onSuccess: (user) => {
      client.setQueryData(currentUser.queryKey, user);
      toast.success(t("account.settings.googleConnected"));
    },
  });
}

/** Disconnects the Google account of a user with a password. The dialog shows an error. */
export function useDisconnectGoogle() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { password: string }) =>
      (await withSecondFactor(() => call(api.POST("/auth/google/removal", { body })))).user,
    retry: false,
    onSuccess: (user) => {
      client.setQueryData(currentUser.queryKey, user);
      toast.success(t("account.settings.googleDisconnected"));
    },
  });
}

// Personal data

/** Downloads the user's personal data as a JSON file. */
export function useExportData() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async () => {
      saveFile(await api.GET("/auth/export", { parseAs: "blob" }), "serendib-tenders.json");
    },
    retry: false,
    onError: (error) =>
      void toast.error(t("account.settings.exportFailed"), { description: messageOf(error, "") }),
  });
}

export function useDeleteAccount() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: Proof) => withSecondFactor(() => call(api.POST("/auth/delete-account", { body }))),
    retry: false,
    onSuccess: async () => {
      // Navigate first: without a user, the account page would redirect to sign-in.
      await navigate(paths.home, { flushSync: true });
      session.clear();
      clearAccountData(client);
      toast.success(t("account.settings.deleted"));
    },
  });
}

// Notification channels

/** Sends a change of the channels, and reloads the channels even if the change fails. */
function useChannelChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: notificationChannels.queryKey }),
  });
}

/** Saves a telephone number and sends it a confirmation code. */
export const useSavePhone = () =>
  useChannelChange((number: string) => call(api.PUT("/channels/phone", { body: { number } })));

export const useConfirmPhone = () =>
  useChannelChange((code: string) => call(api.POST("/channels/phone/confirm", { body: { code } })));

export const useRemovePhone = () => useChannelChange(() => call(api.DELETE("/channels/phone")));

export const useSaveWebhook = () =>
  useChannelChange((url: string) => call(api.PUT("/channels/webhook", { body: { url } })));

export const useRenewWebhookSecret = () => useChannelChange(() => call(api.POST("/channels/webhook/secret")));

export const useTestWebhook = () => useChannelChange(() => call(api.POST("/channels/webhook/test")));

export const useRemoveWebhook = () => useChannelChange(() => call(api.DELETE("/channels/webhook")));

// Team

export const ownTeam = queryOptions({
  queryKey: ["me", "team"],
  queryFn: async ({ signal }) => (await call(api.GET("/team", { signal }))).team,
});

/** Sends a change of the team, and reloads the team and the user even if the change fails. */
function useTeamChange<Output>(change: (id: string) => Promise<Output>) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ownTeam.queryKey });
      void client.invalidateQueries({ queryKey: currentUser.queryKey });
    },
    onError: (error) => void toast.error(t("account.team.failed"), { description: messageOf(error, "") }),
  });
}

/** Removes a member from the team. A member leaves the team with the same request. */
export const useRemoveMember = () =>
  useTeamChange((id) => call(api.DELETE("/team/members/{id}", { params: { path: { id } } })));

export const useRevokeInvitation = () =>
  useTeamChange((id) => call(api.DELETE("/team/invitations/{id}", { params: { path: { id } } })));

export function useInviteMember() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => call(api.POST("/team/invitations", { body: { email } })),
    retry: false,
    onSuccess: ({ team }) => {
      client.setQueryData(ownTeam.queryKey, team);
      toast.success(t("account.team.invited"));
    },
  });
}

/** Accepts an invitation by its token. */
export function useJoinTeam() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => call(api.POST("/team/join", { body: { token } })),
    retry: false,
    // The plan changes with the team, so any cached response may be outdated.
    onSuccess: () => client.invalidateQueries(),
  });
}

// API keys and the account manager

export const apiKeys = queryOptions({
  queryKey: ["me", "keys"],
  queryFn: async ({ signal }) => (await call(api.GET("/keys", { signal }))).keys,
});

export function useCreateApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; scopes: KeyScope[] }) => call(api.POST("/keys", { body })),
    retry: false,
    onSuccess: () => client.invalidateQueries({ queryKey: apiKeys.queryKey }),
  });
}

export function useRevokeApiKey() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.DELETE("/keys/{id}", { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: apiKeys.queryKey }),
    onError: (error) =>
      void toast.error(t("account.keys.withdrawFailed"), { description: messageOf(error, "") }),
  });
}

export const accountManager = queryOptions({
  queryKey: ["me", "manager"],
  queryFn: async ({ signal }) => (await call(api.GET("/subscriptions/user/manager", { signal }))).manager,
});
