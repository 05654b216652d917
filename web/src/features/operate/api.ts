// The API calls of the pages for administrators.

import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { enumValues } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { AuditAction, Role } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

export const ROLES = enumValues<Role>()("supplier", "buyer", "reviewer", "admin");

export const AUDIT_ACTIONS = enumValues<AuditAction>()(
  "decide-review",
  "create-user",
  "lock-user",
  "unlock-user",
  "end-sessions",
  "change-role",
  "resend-confirmation",
  "create-token",
  "revoke-tokens",
  "change-plan",
  "remove-demo",
  "retry-mail",
  "upload-pages",
  "reread-page",
  "forget-page",
);

export interface UserFilters {
  search?: string;
  role?: Role;
  isLocked?: boolean;
}

/** The users that pass the filters, the latest registered first. */
export function userList(filters: UserFilters) {
  return infiniteQueryOptions({
    queryKey: ["operate", "users", filters],
    queryFn: ({ pageParam: after, signal }) =>
      call(api.GET("/operate/users", { params: { query: { ...filters, ...(after && { after }) } }, signal })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 10 * SECOND,
  });
}

export interface AuditFilters {
  action?: AuditAction;
  subject?: string;
}

/** The entries of the audit log that pass the filters, latest first. */
export function auditLog(filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: ["operate", "audit", filters],
    queryFn: ({ pageParam: before, signal }) =>
      call(
        api.GET("/operate/audit", { params: { query: { ...filters, ...(before && { before }) } }, signal }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
}

/** What an administrator can do with a user. */
export type UserAction =
  | { kind: "lock"; reason: string }
  | { kind: "unlock" }
  | { kind: "endSessions" }
  | { kind: "changeRole"; role: Role }
  | { kind: "resend" };

function sendAction(id: string, action: UserAction): Promise<unknown> {
  const params = { path: { id } };
  switch (action.kind) {
    case "lock":
      return call(api.PUT("/operate/users/{id}/lock", { params, body: { reason: action.reason } }));
    case "unlock":
      return call(api.DELETE("/operate/users/{id}/lock", { params }));
    case "endSessions":
      return call(api.DELETE("/operate/users/{id}/sessions", { params }));
    case "changeRole":
      return call(api.PUT("/operate/users/{id}/role", { params, body: { role: action.role } }));
    case "resend":
      return call(api.POST("/operate/users/{id}/confirmation", { params }));
  }
}

/** Applies an action to a user. A toast shows the result. */
export function useUserAction(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const done = {
    lock: t("operate.users.lockedDone"),
    unlock: t("operate.users.unlockedDone"),
    endSessions: t("operate.users.sessionsDone"),
    changeRole: t("operate.users.roleDone"),
    resend: t("operate.users.resendDone"),
  } satisfies Record<UserAction["kind"], string>;
  return useMutation({
    mutationFn: (action: UserAction) => sendAction(id, action),
    onSuccess: (_, { kind }) => {
      toast.success(done[kind]);
      return client.invalidateQueries({ queryKey: ["operate"] });
    },
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}
