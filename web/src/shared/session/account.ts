// The current account: the stored session and its user.

import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { api, call, session } from "@/api/client.ts";
import { ApiError } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import type { Language } from "@/i18n/languages.ts";
import { MINUTE, retryUpTo } from "@/shared/queryDefaults.ts";

function isUnauthorized(error: Error): boolean {
  return (error instanceof ApiError && error.status === 401) || /unauthorized/i.test(error.message);
}

const retry = retryUpTo(3);

/** The current user. A 401 response clears the session and is not retried. */
export const currentUser = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }): Promise<User> => {
    try {
      return (await call(api.GET("/auth/me", { signal }))).user;
    } catch (error) {
      if (error instanceof Error && isUnauthorized(error)) session.clear();
      throw error;
    }
  },
  staleTime: 5 * MINUTE,
  gcTime: 10 * MINUTE,
  meta: { cachedOffline: true },
  retry: (failures, error) => !isUnauthorized(error) && retry(failures, error),
});

export interface Account {
  /** `unknown` means that there is a session, but its user could not be loaded. */
  status: "loading" | "guest" | "signed-in" | "unknown";
  user: User | null;
  reload: () => void;
}

export function useAccount(): Account {
  const hasSession = useSyncExternalStore(session.subscribe, () => session.read() !== null);
  const { data, isError, refetch } = useQuery({ ...currentUser, enabled: hasSession });
  const reload = () => void refetch();
  if (!hasSession) return { status: "guest", user: null, reload };
  if (data) return { status: "signed-in", user: data, reload };
  return { status: isError ? "unknown" : "loading", user: null, reload };
}

/** Stores the language for the user's mails. Without a session it does nothing. */
export async function saveLanguage(client: QueryClient, language: Language): Promise<void> {
  if (session.read() === null) return;
  try {
    const { user } = await call(api.PUT("/auth/profile", { body: { language } }));
    client.setQueryData(currentUser.queryKey, user);
  } catch (error) {
    console.warn("The language could not be saved in the profile.", error);
  }
}
