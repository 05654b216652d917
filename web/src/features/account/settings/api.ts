// The API requests of the account's settings and notification channels.

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, call, session } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { saveFile } from "@/api/saveFile.ts";
import type { components } from "@/api/schema.gen.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { notificationChannels } from "@/shared/notificationChannels.ts";
import { paths } from "@/shared/paths.ts";
import { createPasskey } from "@/shared/secondFactor/passkeys.ts";
import { withSecondFactor } from "@/shared/secondFactor/request.ts";
import { currentUser } from "@/shared/session/account.ts";
import { clearAccountData } from "@/shared/session/signOut.ts";
import { toast } from "@/ui/toasts.ts";

/** The proof of identity that changes of credentials need. */
export type Proof = { password: string } | { credential: string };

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
  "language" | "weeklySummary" | "savedMails" | "silenceMails"
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
