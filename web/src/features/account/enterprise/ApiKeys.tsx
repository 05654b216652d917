// Keys for one's programs: made, shown once, withdrawn.

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { ApiKey, KeyScope } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { Button } from "@/ui/Button.tsx";
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Part } from "@/ui/SectionCard.tsx";
import { toast } from "@/ui/toasts.ts";
import { ShownOnce } from "../settings/NewSecret.tsx";

const SCOPES: readonly KeyScope[] = [
  "tenders:read",
  "tenders:write",
  "alerts:read",
  "alerts:write",
  "reports:read",
];

const apiKeys = queryOptions({
  queryKey: ["me", "keys"],
  queryFn: async ({ signal }) => (await call(api.GET("/keys", { signal }))).keys,
});

/** Which words tell of a scope; a colon would part them. */
function wordsOf(scope: KeyScope) {
  return `account.keys.scope.${scope.replace(":", "_") as "tenders_read"}` as const;
}

function NewKey({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const messageId = useId();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<KeyScope[]>(["tenders:read"]);
  const make = useMutation({
    mutationFn: () => call(api.POST("/keys", { body: { name, scopes } })),
    retry: false,
    onSuccess: () => client.invalidateQueries({ queryKey: apiKeys.queryKey }),
  });
  const message = make.error ? messageOf(make.error, t("account.keys.failed")) : null;
  if (make.data) {
    return <ShownOnce text={t("account.keys.shownOnce")} secret={make.data.secret} onDone={onDone} />;
  }
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
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
        name={(scope) => t(wordsOf(scope))}
        chosen={scopes}
        onChange={setScopes}
      />
      <FormMessage id={messageId}>{message}</FormMessage>
      <div className="flex gap-3">
        <Button type="submit" size="small" disabled={make.isPending}>
          {t("account.keys.make")}
        </Button>
        <Button look="outlined" size="small" onClick={onDone}>
          {t("account.keys.cancel")}
        </Button>
      </div>
    </form>
  );
}

function Row({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const withdraw = useMutation({
    mutationFn: () => call(api.DELETE("/keys/{id}", { params: { path: { id: apiKey._id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: apiKeys.queryKey }),
    onError: (error) =>
      void toast.error(t("account.keys.withdrawFailed"), { description: messageOf(error, "") }),
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="text-[0.9375rem] font-semibold">{apiKey.name}</p>
        <p className="text-sm text-ink-soft">
          <code>{apiKey.prefix}…</code> · {apiKey.scopes.map((scope) => t(wordsOf(scope))).join(" · ")}
        </p>
        <p className="text-sm text-ink-soft">
          {apiKey.lastUsedAt
            ? t("account.settings.lastUsed", { date: formatMoment(apiKey.lastUsedAt) })
            : t("account.keys.neverUsed")}
        </p>
      </div>
      <Button look="outlined" size="small" disabled={withdraw.isPending} onClick={() => setAsked(true)}>
        {t("account.keys.withdraw")}
      </Button>
      <Dialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={t("account.keys.withdrawTitle", { name: apiKey.name })}
        actions={
          <>
            <Button look="outlined" onClick={() => setAsked(false)}>
              {t("account.keys.cancel")}
            </Button>
            <Button
              onClick={() => {
                setAsked(false);
                withdraw.mutate();
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
  const [isMaking, setMaking] = useState(false);
  return (
    <Part title={t("account.keys.title")}>
      <p className="text-[0.9375rem]">{t("account.keys.text")}</p>
      {keys && keys.length > 0 && (
        <ul className="mt-4 divide-y divide-line">
          {keys.map((apiKey) => (
            <Row key={apiKey._id} apiKey={apiKey} />
          ))}
        </ul>
      )}
      <div className="mt-5">
        {isMaking ? (
          <NewKey onDone={() => setMaking(false)} />
        ) : (
          <Button look="outlined" size="small" onClick={() => setMaking(true)}>
            {t("account.keys.new")}
          </Button>
        )}
      </div>
    </Part>
  );
}
