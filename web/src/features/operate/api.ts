// The API calls of the pages for administrators.

import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { enumValues } from "@/api/enums.ts";
import { ApiError, messageOf } from "@/api/error.ts";
import type { AuditAction, Role } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECOND } from "@/shared/queryDefaults.ts";
import { withSecondFactor } from "@/shared/secondFactor/request.ts";
import { toast } from "@/ui/toasts.ts";

export const ROLES = enumValues<Role>()("supplier", "buyer", "reviewer", "admin");

export const AUDIT_ACTIONS = enumValues<AuditAction>()(
  "decide-review",
  "undo-review",
  "upload-notices",
  "approve-publication",
  "refuse-publication",
  "take-down-tender",
  "restore-tender",
  "edit-tender",
  "delete-tender",
  "create-user",
  "lock-user",
  "unlock-user",
  "end-sessions",
  "reset-second-factors",
  "change-role",
  "resend-confirmation",
  "create-token",
  "revoke-tokens",
  "change-plan",
  "remove-demo",
  "retry-mail",
  "lift-suppression",
  "settle-payment",
  "answer-message",
  "reopen-message",
  "upload-pages",
  "reread-page",
  "correct-issue",
  "forget-page",
  "add-name",
  "change-name",
  "draw-box",
  "dismiss-box",
  "undo-box",
  "withdraw-batch",
  "undo-batch-withdrawal",
  "add-paper",
  "change-paper",
  "remove-paper",
  "note-absence",
  "remove-absence",
  "set-holiday",
  "remove-holiday",
  "rotate-key",
  "remove-key",
  "switch-sending",
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
  /** The id of a user or of an operator token. */
  actor?: string;
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

/** The tenders that wait for a check, the oldest first. */
export const heldPublications = infiniteQueryOptions({
  queryKey: ["operate", "publications", "list"],
  queryFn: ({ pageParam: after, signal }) =>
    call(api.GET("/operate/publications", { params: { query: { ...(after && { after }) } }, signal })),
  initialPageParam: null as number | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
});

/** What an administrator decides about a tender that waits for a check. */
export type PublicationDecision = { kind: "approve"; revision: number } | { kind: "refuse"; reason: string };

/** Publishes or refuses a tender. A toast shows the result. */
export function usePublicationDecision(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const params = { path: { id } };
  return useMutation({
    mutationFn: (decision: PublicationDecision): Promise<unknown> =>
      decision.kind === "approve"
        ? call(
            api.POST("/operate/publications/{id}/approval", {
              params,
              body: { revision: decision.revision },
            }),
          )
        : call(api.POST("/operate/publications/{id}/refusal", { params, body: { reason: decision.reason } })),
    onSuccess: (_, { kind }) =>
      toast.success(
        t(kind === "approve" ? "operate.publications.approved" : "operate.publications.refusedDone"),
      ),
    onError: (error) => toast.error(messageOf(error, t("operate.publications.failed"))),
    // A refused decision means that the list is outdated.
    onSettled: () =>
      Promise.all(["operate", "tenders"].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}

/** What an administrator can do with a user. */
export type UserAction =
  | { kind: "lock"; reason: string }
  | { kind: "unlock" }
  | { kind: "endSessions" }
  | { kind: "resetSecondFactors" }
  | { kind: "changeRole"; role: Role; password?: string }
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
    case "resetSecondFactors":
      return call(api.DELETE("/operate/users/{id}/second-factors", { params }));
    case "changeRole":
      return withSecondFactor(() =>
        call(
          api.PUT("/operate/users/{id}/role", {
            params,
            body: { role: action.role, ...(action.password && { password: action.password }) },
          }),
        ),
      );
    case "resend":
      return call(api.POST("/operate/users/{id}/confirmation", { params }));
  }
}

/** What the server says about the administrator's own password. */
export const passwordError = (error: Error | null): string | undefined =>
  error instanceof ApiError ? error.errors.find(({ field }) => field === "password")?.message : undefined;

/** Applies an action to a user. A toast shows the result. */
export function useUserAction(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const done = {
    lock: t("operate.users.lockedDone"),
    unlock: t("operate.users.unlockedDone"),
    endSessions: t("operate.users.sessionsDone"),
    resetSecondFactors: t("operate.users.factorsDone"),
    changeRole: t("operate.users.roleDone"),
    resend: t("operate.users.resendDone"),
  } satisfies Record<UserAction["kind"], string>;
  return useMutation({
    mutationFn: (action: UserAction) => sendAction(id, action),
    onSuccess: (_, { kind }) => {
      toast.success(done[kind]);
      return client.invalidateQueries({ queryKey: ["operate"] });
    },
    onError: (error) => {
      // The dialog shows a wrong password at its field.
      if (!passwordError(error)) toast.error(messageOf(error, t("operate.users.actionFailed")));
    },
  });
}
