// The API calls of the page for operator tokens.

import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { enumValues } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { TokenScope } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

export const TOKEN_SCOPES = enumValues<TokenScope>()("publish", "work", "review", "bounces", "trace");

/** Operator tokens, newest first: all, those that can be used, or the others. */
export function tokenList(isLive: boolean | undefined) {
  return infiniteQueryOptions({
    queryKey: ["operate", "tokens", isLive],
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.GET("/operate/tokens", {
          params: { query: { ...(isLive !== undefined && { isLive }), ...(after && { after }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 10 * SECOND,
  });
}

export interface NewToken {
  name: string;
  scopes: TokenScope[];
  expiresInDays: number | null;
}

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewToken) => call(api.POST("/operate/tokens", { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["operate"] }),
  });
}

export function useRevokeToken() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.DELETE("/operate/tokens/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      toast.success(t("operate.tokens.revokedDone"));
      return client.invalidateQueries({ queryKey: ["operate"] });
    },
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}
