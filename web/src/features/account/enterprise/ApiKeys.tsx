// Lists, creates and revokes API keys. The secret of a new key is shown once.

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { enumValues } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { ApiKey, KeyScope } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { NewSecret } from "@/shared/NewSecret.tsx";
import { Button } from "@/ui/Button.tsx";
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { apiKeys, useCreateApiKey, useRevokeApiKey } from "./api.ts";

const SCOPES = enumValues<KeyScope>()(
  "tenders:read",
  "tenders:write",
  "alerts:read",
  "alerts:write",
  "reports:read",
);

/** The translation key of a scope's label. In these keys, an underscore replaces the colon. */
function scopeLabelKey(scope: KeyScope) {
  return `account.keys.scope.${scope.replace(":", "_") as "tenders_read"}` as const;
}

function NewKeyForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const messageId = useId();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<KeyScope[]>(["tenders:read"]);
  const create = useCreateApiKey();
  const message = create.error ? messageOf(create.error, t("account.keys.failed")) : null;
  if (create.data) {
    return <NewSecret text={t("account.keys.shownOnce")} secret={create.data.secret} onDone={onDone} />;
  }
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ name, scopes });
      }}
    >
      <TextField
        label={t("account.keys.name")}
        help={t("account.keys.nameHelp")}
        maxLength={100}
        value={name}
        messageId={messageId}
        onChange={(event) => setName(event.target.value)}
      />
      <CheckGroup
        label={t("account.keys.scopes")}
        values={SCOPES}
        name={(scope) => t(scopeLabelKey(scope))}
        chosen={scopes}
        onChange={setScopes}
      />
      <FormMessage id={messageId}>{message}</FormMessage>
      <div className="flex gap-3">
        <Button type="submit" size="small" disabled={create.isPending}>
          {t("account.keys.make")}
        </Button>
        <Button variant="outlined" size="small" onClick={onDone}>
          {t("account.keys.cancel")}
        </Button>
      </div>
    </form>
  );
}

function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation();
  const [isConfirming, setConfirming] = useState(false);
  const revoke = useRevokeApiKey();
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="text-[0.9375rem] font-semibold">{apiKey.name}</p>
        <p className="text-sm text-ink-soft">
          <code>{apiKey.prefix}…</code> · {apiKey.scopes.map((scope) => t(scopeLabelKey(scope))).join(" · ")}
        </p>
        <p className="text-sm text-ink-soft">
          {apiKey.lastUsedAt
            ? t("account.settings.lastUsed", { date: formatMoment(apiKey.lastUsedAt) })
            : t("account.keys.neverUsed")}
        </p>
      </div>
      <Button variant="outlined" size="small" disabled={revoke.isPending} onClick={() => setConfirming(true)}>
        {t("account.keys.withdraw")}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={t("account.keys.withdrawTitle", { name: apiKey.name })}
        actions={
          <>
            <Button variant="outlined" onClick={() => setConfirming(false)}>
              {t("account.keys.cancel")}
            </Button>
            <Button
              onClick={() => {
                setConfirming(false);
                revoke.mutate(apiKey._id);
              }}
            >
              {t("account.keys.withdraw")}
            </Button>
          </>
        }
      >
        {t("account.keys.withdrawText")}
      </Dialog>
    </li>
  );
}

export function ApiKeys() {
  const { t } = useTranslation();
  const keys = useQuery(apiKeys).data;
  const [isCreating, setCreating] = useState(false);
  return (
    <SectionCard title={t("account.keys.title")}>
      <p className="text-[0.9375rem]">{t("account.keys.text")}</p>
      {keys && keys.length > 0 && (
        <ul className="mt-4 divide-y divide-line">
          {keys.map((apiKey) => (
            <ApiKeyRow key={apiKey._id} apiKey={apiKey} />
          ))}
        </ul>
      )}
      <div className="mt-5">
        {isCreating ? (
          <NewKeyForm onDone={() => setCreating(false)} />
        ) : (
          <Button variant="outlined" size="small" onClick={() => setCreating(true)}>
            {t("account.keys.new")}
          </Button>
        )}
      </div>
    </SectionCard>
  );
}
