// The API requests of teams, API keys and the account manager.

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { KeyScope } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { currentUser } from "@/shared/session/account.ts";
import { toast } from "@/ui/toasts.ts";

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
