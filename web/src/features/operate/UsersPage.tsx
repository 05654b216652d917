// The page that lists users. An administrator can search, lock and unlock accounts, sign out
// sessions, change roles and mail confirmation links again.

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { LockKeyhole, Users } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useNavigate } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import type { ListedUser, Role } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { ReasonDialog } from "@/shared/dialogs/ReasonDialog.tsx";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { planName } from "@/shared/plans/plans.ts";
import { SecondFactorPrompt } from "@/shared/secondFactor/SecondFactorPrompt.tsx";
import { useAccount } from "@/shared/session/account.ts";
import { type Action, ActionMenu } from "@/ui/ActionMenu.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { PasswordField, SelectField, TextField } from "@/ui/Field.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { passwordError, ROLES, type UserFilters, userList, useUserAction } from "./api.ts";
import { useFilters, useSearchText } from "./filters.ts";
import { OperatePage } from "./OperatePage.tsx";
import { PartialList } from "./PartialList.tsx";

/** Whether the plan matters: administrators and reviewers see everything that they need. */
const hasPlan = ({ role }: ListedUser) => role === "supplier" || role === "buyer";

const nameOf = ({ firstName, lastName }: ListedUser) => `${firstName} ${lastName}`;

function LockDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  const action = useUserAction(user._id);
  return (
    <ReasonDialog
      title={t("operate.users.lockTitle", { name: nameOf(user) })}
      reasonHelp={t("operate.users.reasonHelp")}
      confirm={t("operate.users.lockConfirm")}
      isPending={action.isPending}
      onReason={(reason) => action.mutate({ kind: "lock", reason }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t("operate.users.lockHelp")}</p>
    </ReasonDialog>
  );
}

function RoleDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  const formId = useId();
  const account = useAccount();
  const [role, setRole] = useState<Role>(user.role);
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const action = useUserAction(user._id);
  // More rights need proof: the session may have been left open.
  const needsPassword = role !== user.role && (role === "admin" || role === "reviewer");
  const hasPassword = account.user?.hasPassword ?? true;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (needsPassword && password === "") return;
    action.mutate({ kind: "changeRole", role, ...(needsPassword && { password }) }, { onSuccess: onClose });
  };
  return (
    <ConfirmDialog
      title={t("operate.users.roleTitle", { name: nameOf(user) })}
      onClose={onClose}
      confirm={
        <Button
          type="submit"
          form={formId}
          disabled={action.isPending || role === user.role || (needsPassword && !hasPassword)}
        >
          {t("operate.users.save")}
        </Button>
      }
    >
      <p>{t("operate.users.roleHelp")}</p>
      <form id={formId} noValidate onSubmit={submit} className="mt-4 text-ink">
        <SelectField
          label={t("operate.users.newRole")}
          value={role}
          onChange={(event) => setRole(parseEnum(ROLES, event.target.value) ?? user.role)}
        >
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {t(`operate.role.${role}`)}
            </option>
          ))}
        </SelectField>
        {needsPassword && hasPassword && (
          <div className="mt-4">
            <PasswordField
              label={t("operate.users.rolePassword")}
              help={t("operate.users.rolePasswordHelp")}
              autoComplete="current-password"
              show={t("account.showPassword")}
              hide={t("account.hidePassword")}
              value={password}
              error={
                tried && password === ""
                  ? t("operate.users.rolePasswordMissing")
                  : passwordError(action.error)
              }
              onChange={(event) => {
                setPassword(event.target.value);
                action.reset();
              }}
            />
          </div>
        )}
        {needsPassword && !hasPassword && (
          <p className="mt-4 text-[0.9375rem] text-urgent">{t("operate.users.roleNoPassword")}</p>
        )}
      </form>
    </ConfirmDialog>
  );
}

function EndOwnSessionsDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  const action = useUserAction(user._id);
  return (
    <ConfirmDialog
      title={t("operate.users.endOwnTitle")}
      onClose={onClose}
      confirm={
        <Button
          disabled={action.isPending}
          onClick={() => action.mutate({ kind: "endSessions" }, { onSuccess: onClose })}
        >
          {t("operate.users.endOwnConfirm")}
        </Button>
      }
    >
      <p>{t("operate.users.endOwnHelp")}</p>
    </ConfirmDialog>
  );
}

function ResetSecondFactorsDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  const action = useUserAction(user._id);
  return (
    <ConfirmDialog
      title={t("operate.users.resetFactorsTitle", { name: nameOf(user) })}
      onClose={onClose}
      confirm={
        <Button
          variant="danger"
          disabled={action.isPending}
          onClick={() => action.mutate({ kind: "resetSecondFactors" }, { onSuccess: onClose })}
        >
          {t("operate.users.resetFactorsConfirm")}
        </Button>
      }
    >
      <p>{t("operate.users.resetFactorsHelp")}</p>
    </ConfirmDialog>
  );
}

function UserMenu({ user }: { user: ListedUser }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const account = useAccount();
  const [dialog, setDialog] = useState<"lock" | "role" | "endOwn" | "resetFactors" | null>(null);
  const action = useUserAction(user._id);
  const isOwn = account.user?._id === user._id;
  const actions: Action[] = [
    {
      label: t("operate.users.history"),
      onChoose: () => void navigate(`${paths.operateAudit}?subject=${user._id}`),
    },
    {
      label: t("operate.users.endSessions"),
      onChoose: () => (isOwn ? setDialog("endOwn") : action.mutate({ kind: "endSessions" })),
    },
  ];
  if (!user.emailVerified) {
    actions.push({ label: t("operate.users.resend"), onChoose: () => action.mutate({ kind: "resend" }) });
  }
  // Nobody can lock their own account, change their own role or reset their own second factors.
  if (!isOwn) {
    actions.push({ label: t("operate.users.changeRole"), onChoose: () => setDialog("role") });
    actions.push({ label: t("operate.users.resetFactors"), onChoose: () => setDialog("resetFactors") });
    actions.push(
      user.lockedAt
        ? { label: t("operate.users.unlockAction"), onChoose: () => action.mutate({ kind: "unlock" }) }
        : { label: t("operate.users.lockAction"), isDestructive: true, onChoose: () => setDialog("lock") },
    );
  }
  const close = () => setDialog(null);
  return (
    <>
      <ActionMenu label={t("operate.users.actions", { name: nameOf(user) })} actions={actions} />
      {dialog === "lock" && <LockDialog user={user} onClose={close} />}
      {dialog === "role" && <RoleDialog user={user} onClose={close} />}
      {dialog === "resetFactors" && <ResetSecondFactorsDialog user={user} onClose={close} />}
      {dialog === "endOwn" && <EndOwnSessionsDialog user={user} onClose={close} />}
    </>
  );
}

function UserRow({ user }: { user: ListedUser }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold break-words">{nameOf(user)}</span>
          <Badge tone="quiet">{t(`operate.role.${user.role}`)}</Badge>
          {hasPlan(user) && <Badge tone="quiet">{planName(user.plan, t)}</Badge>}
          {!user.emailVerified && <Badge tone="soon">{t("operate.users.unconfirmed")}</Badge>}
          {user.lockedAt && (
            <Badge tone="urgent" icon={LockKeyhole}>
              {t("operate.users.locked")}
            </Badge>
          )}
        </p>
        <p className="text-[0.9375rem] break-words text-ink-soft">
          {user.email}
          {user.company && ` · ${user.company}`}
        </p>
        <p className="text-sm text-ink-soft">
          {t("operate.users.registered", { moment: formatMoment(user.createdAt) })} ·{" "}
          {user.signedInAt
            ? t("operate.users.active", { moment: formatMoment(user.signedInAt) })
            : t("operate.users.neverActive")}
        </p>
        {user.lockedAt && (
          <p className="mt-1 text-sm text-urgent">
            {t("operate.users.lockedSince", {
              moment: formatMoment(user.lockedAt),
              reason: user.lockReason ?? "",
            })}
          </p>
        )}
      </div>
      <UserMenu user={user} />
    </div>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<"search" | "role" | "locked">();
  const locked = params.get("locked");
  const filters: UserFilters = {
    search: params.get("search") || undefined,
    role: parseEnum(ROLES, params.get("role")) ?? undefined,
    isLocked: locked === null ? undefined : locked === "true",
  };
  const [search, setSearch] = useSearchText(filters.search ?? "", (text) => setFilter("search", text));
  return (
    <OperatePage title={t("operate.users.title")}>
      <search className="mt-4 mb-6 grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem_12rem]">
        <TextField
          type="search"
          label={t("operate.users.search")}
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.target.value)}
        />
        <SelectField
          label={t("operate.users.role")}
          value={filters.role ?? ""}
          onChange={(event) => setFilter("role", event.target.value)}
        >
          <option value="">{t("operate.users.anyRole")}</option>
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {t(`operate.role.${role}`)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t("operate.users.lock")}
          value={String(filters.isLocked ?? "")}
          onChange={(event) => setFilter("locked", event.target.value)}
        >
          <option value="">{t("operate.users.anyLock")}</option>
          <option value="true">{t("operate.users.onlyLocked")}</option>
          <option value="false">{t("operate.users.onlyUnlocked")}</option>
        </SelectField>
      </search>
      <UserList filters={filters} />
      <SecondFactorPrompt />
    </OperatePage>
  );
}

function UserList({ filters }: { filters: UserFilters }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({ ...userList(filters), placeholderData: keepPreviousData });
  return (
    <PartialList
      list={list}
      items={list.data?.pages.flatMap(({ users }) => users) ?? []}
      keyOf={({ _id }) => _id}
      empty={
        <EmptyState icon={<Users size={22} />} title={t("operate.users.none")}>
          {t("operate.users.noneHelp")}
        </EmptyState>
      }
    >
      {(user) => <UserRow user={user} />}
    </PartialList>
  );
}
