// The page that lists operator tokens. An administrator can create and revoke tokens. The secret of
// a new token is shown once.

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { OperatorToken, TokenScope } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { formatDay, formatMoment } from "@/shared/format/dates.ts";
import { NewSecret } from "@/shared/NewSecret.tsx";
import { paths } from "@/shared/paths.ts";
import { type Action, ActionMenu } from "@/ui/ActionMenu.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { OperatePage } from "./OperatePage.tsx";
import { PartialList } from "./PartialList.tsx";
import { TOKEN_SCOPES, tokenList, useCreateToken, useRevokeToken } from "./tokens.ts";

/** The offered lifetimes in days. */
const LIFETIMES = ["30", "90", "365", "never"] as const;

function NewTokenDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: string) => void;
}) {
  const { t } = useTranslation();
  const [formId, messageId] = [useId(), useId()];
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<TokenScope[]>(["publish", "work"]);
  const [lifetime, setLifetime] = useState<(typeof LIFETIMES)[number]>("365");
  const [tried, setTried] = useState(false);
  const create = useCreateToken();
  const [lacksName, lacksScope] = [name.trim() === "", scopes.length === 0];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (lacksName || lacksScope) return;
    const expiresInDays = lifetime === "never" ? null : Number(lifetime);
    create.mutate(
      { name: name.trim(), scopes, expiresInDays },
      { onSuccess: ({ secret }) => onCreated(secret) },
    );
  };
  return (
    <ConfirmDialog
      title={t("operate.tokens.newTitle")}
      onClose={onClose}
      confirm={
        <Button type="submit" form={formId} disabled={create.isPending}>
          {t("operate.tokens.create")}
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="mt-4 grid gap-5 text-ink">
        <TextField
          label={t("operate.tokens.name")}
          help={t("operate.tokens.nameHelp")}
          value={name}
          maxLength={100}
          error={tried && lacksName ? t("operate.tokens.nameMissing") : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <CheckGroup
          label={t("operate.tokens.scopes")}
          values={TOKEN_SCOPES}
          name={(scope) => t(`operate.tokens.scope.${scope}`)}
          chosen={scopes}
          error={tried && lacksScope ? t("operate.tokens.scopeMissing") : undefined}
          onChange={setScopes}
        />
        <SelectField
          label={t("operate.tokens.expiry")}
          value={lifetime}
          onChange={(event) => setLifetime(parseEnum(LIFETIMES, event.target.value) ?? "365")}
        >
          {LIFETIMES.map((value) => (
            <option key={value} value={value}>
              {t(`operate.tokens.lifetime.${value}`)}
            </option>
          ))}
        </SelectField>
        <FormMessage id={messageId}>
          {create.error ? messageOf(create.error, t("operate.tokens.failed")) : null}
        </FormMessage>
      </form>
    </ConfirmDialog>
  );
}

function RevokeDialog({ token, onClose }: { token: OperatorToken; onClose: () => void }) {
  const { t } = useTranslation();
  const revoke = useRevokeToken();
  return (
    <ConfirmDialog
      title={t("operate.tokens.revokeTitle", { name: token.name })}
      onClose={onClose}
      confirm={
        <Button disabled={revoke.isPending} onClick={() => revoke.mutate(token._id, { onSuccess: onClose })}>
          {t("operate.tokens.revokeConfirm")}
        </Button>
      }
    >
      {t("operate.tokens.revokeHelp")}
    </ConfirmDialog>
  );
}

function TokenRow({ token }: { token: OperatorToken }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isRevoking, setRevoking] = useState(false);
  const actions: Action[] = [
    {
      label: t("operate.users.history"),
      onChoose: () => void navigate(`${paths.operateAudit}?subject=${encodeURIComponent(token.name)}`),
    },
  ];
  if (token.state !== "revoked") {
    actions.push({
      label: t("operate.tokens.revokeAction"),
      isDestructive: true,
      onChoose: () => setRevoking(true),
    });
  }
  const facts = [
    t("operate.tokens.created", { day: formatDay(token.createdAt) }),
    token.revokedAt
      ? t("operate.tokens.revokedSince", { moment: formatMoment(token.revokedAt) })
      : token.expiresAt
        ? t(token.state === "expired" ? "operate.tokens.expired" : "operate.tokens.expires", {
            moment: formatMoment(token.expiresAt),
          })
        : t("operate.tokens.endless"),
    token.lastUsedAt
      ? t("operate.tokens.used", { moment: formatMoment(token.lastUsedAt) })
      : t("operate.tokens.unused"),
  ];
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold wrap-anywhere">{token.name}</span>
          {token.state !== "live" && (
            <Badge tone={token.state === "expired" ? "soon" : "urgent"}>
              {t(`operate.tokens.state.${token.state}`)}
            </Badge>
          )}
        </p>
        <p className="text-[0.9375rem]">
          {token.scopes.map((scope) => t(`operate.tokens.scope.${scope}`)).join(" · ")}
        </p>
        <p className="text-sm text-ink-soft">{facts.join(" · ")}</p>
      </div>
      <ActionMenu label={t("operate.users.actions", { name: token.name })} actions={actions} />
      {isRevoking && <RevokeDialog token={token} onClose={() => setRevoking(false)} />}
    </div>
  );
}

function TokenList({ isLive }: { isLive: boolean | undefined }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({ ...tokenList(isLive), placeholderData: keepPreviousData });
  return (
    <PartialList
      list={list}
      items={list.data?.pages.flatMap(({ tokens }) => tokens) ?? []}
      keyOf={({ _id }) => _id}
      empty={
        <EmptyState icon={<KeyRound size={22} />} title={t("operate.tokens.none")}>
          {t("operate.tokens.noneHelp")}
        </EmptyState>
      }
    >
      {(token) => <TokenRow token={token} />}
    </PartialList>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [parameters, setParameters] = useSearchParams();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const shown = parseEnum(["true", "false"], parameters.get("live"));
  return (
    <OperatePage title={t("operate.tokens.title")}>
      <p className="mt-2 max-w-[75ch] text-ink-soft">{t("operate.tokens.text")}</p>
      <div className="mt-4 mb-6 flex flex-wrap items-end justify-between gap-4">
        <div className="w-full sm:w-56">
          <SelectField
            label={t("operate.tokens.show")}
            value={shown ?? ""}
            onChange={({ target: { value } }) =>
              setParameters(value ? { live: value } : {}, { replace: true })
            }
          >
            <option value="">{t("operate.tokens.all")}</option>
            <option value="true">{t("operate.tokens.onlyLive")}</option>
            <option value="false">{t("operate.tokens.onlyEnded")}</option>
          </SelectField>
        </div>
        <Button onClick={() => setCreating(true)}>{t("operate.tokens.new")}</Button>
      </div>
      {secret && (
        <div className="mb-6">
          <NewSecret text={t("operate.tokens.shownOnce")} secret={secret} onDone={() => setSecret(null)} />
        </div>
      )}
      <TokenList isLive={shown ? shown === "true" : undefined} />
      {isCreating && (
        <NewTokenDialog
          onClose={() => setCreating(false)}
          onCreated={(created) => {
            setCreating(false);
            setSecret(created);
          }}
        />
      )}
    </OperatePage>
  );
}
