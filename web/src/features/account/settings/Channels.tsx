// The channels for alerts besides e-mail: a webhook, and a telephone number that the user confirms
// with a code.

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Clock } from "lucide-react";
import { useId, useState } from "react";
import { messageOf } from "@/api/error.ts";
import type { Phone, Webhook } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { NewSecret } from "@/shared/NewSecret.tsx";
import { notificationChannels } from "@/shared/notificationChannels.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { toast } from "@/ui/toasts.ts";
import {
  useConfirmPhone,
  useRemovePhone,
  useRemoveWebhook,
  useRenewWebhookSecret,
  useSavePhone,
  useSaveWebhook,
  useTestWebhook,
} from "./api.ts";

function PhoneCodeForm() {
  const { t } = useTranslation();
  const messageId = useId();
  const [code, setCode] = useState("");
  const confirm = useConfirmPhone();
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate(code, { onSuccess: () => toast.success(t("account.channels.confirmed")) });
      }}
    >
      <TextField
        label={t("account.channels.code")}
        help={t("account.channels.codeHelp")}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        value={code}
        messageId={messageId}
        onChange={(event) => setCode(event.target.value)}
      />
      <FormMessage id={messageId}>
        {confirm.error && messageOf(confirm.error, t("account.channels.failed"))}
      </FormMessage>
      <Button type="submit" size="small" className="justify-self-start" disabled={confirm.isPending}>
        {t("account.channels.confirm")}
      </Button>
    </form>
  );
}

function PhoneSettings({ phone }: { phone: Phone | null }) {
  const { t } = useTranslation();
  const messageId = useId();
  const [isChanging, setChanging] = useState(false);
  const [number, setNumber] = useState("");
  const send = useSavePhone();
  const remove = useRemovePhone();
  const error = send.error ?? remove.error;
  const isFormShown = phone === null || isChanging;
  return (
    <div className="grid gap-4">
      <h3 className="font-semibold">{t("account.channels.phone")}</h3>
      <p className="text-[0.9375rem]">{t("account.channels.phoneText")}</p>
      {phone && (
        <p className="flex flex-wrap items-center gap-3 text-[0.9375rem]">
          <span className="font-semibold">{phone.number}</span>
          <Badge tone={phone.isConfirmed ? "calm" : "soon"} icon={phone.isConfirmed ? CircleCheck : Clock}>
            {t(phone.isConfirmed ? "account.channels.isConfirmed" : "account.channels.isUnconfirmed")}
          </Badge>
        </p>
      )}
      {phone?.codeUntil && !phone.isConfirmed && !isChanging && <PhoneCodeForm />}
      {isFormShown && (
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            send.mutate(number, { onSuccess: () => setChanging(false) });
          }}
        >
          <TextField
            label={t("account.channels.number")}
            help={t("account.channels.numberHelp")}
            type="tel"
            autoComplete="tel"
            maxLength={40}
            value={number}
            messageId={messageId}
            onChange={(event) => setNumber(event.target.value)}
          />
          <Button type="submit" size="small" className="justify-self-start" disabled={send.isPending}>
            {t("account.channels.sendCode")}
          </Button>
        </form>
      )}
      <FormMessage id={messageId}>{error && messageOf(error, t("account.channels.failed"))}</FormMessage>
      {phone && !isChanging && (
        <div className="flex flex-wrap gap-3">
          {!phone.isConfirmed && (
            <Button
              variant="outlined"
              size="small"
              disabled={send.isPending}
              onClick={() => send.mutate(phone.number)}
            >
              {t("account.channels.sendAgain")}
            </Button>
          )}
          <Button variant="outlined" size="small" onClick={() => setChanging(true)}>
            {t("account.channels.change")}
          </Button>
          <Button variant="outlined" size="small" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {t("account.channels.remove")}
          </Button>
        </div>
      )}
    </div>
  );
}

const WEBHOOK_CALL_BADGES = {
  taken: { tone: "calm", icon: CircleCheck },
  waiting: { tone: "soon", icon: Clock },
  failed: { tone: "urgent", icon: CircleX },
} as const;

function WebhookCalls({ calls }: { calls: Webhook["calls"] }) {
  const { t } = useTranslation();
  if (calls.length === 0) return null;
  return (
    <div>
      <h4 className="mb-1 text-[0.9375rem] font-semibold">{t("account.channels.calls")}</h4>
      <ul className="divide-y divide-line">
        {calls.map(({ _id, at, state, attempts, error }) => (
          <li key={_id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
            <Badge {...WEBHOOK_CALL_BADGES[state]}>{t(`account.channels.state.${state}`)}</Badge>
            <span>{formatMoment(at)}</span>
            <span className="text-ink-soft">
              {[attempts > 1 && t("account.channels.attempts", { count: attempts }), error]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function WebhookSettings({ webhook }: { webhook: Webhook | null }) {
  const { t } = useTranslation();
  const messageId = useId();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [secret, setSecret] = useState<string | null>(null);
  const save = useSaveWebhook();
  const renew = useRenewWebhookSecret();
  const test = useTestWebhook();
  const remove = useRemoveWebhook();
  const showSecret = ({ secret }: { secret: string | null }) => setSecret(secret);
  const error = save.error ?? renew.error ?? test.error ?? remove.error;
  const disabledAt = webhook?.offAt;
  return (
    <div className="grid gap-4 border-t border-line pt-6">
      <h3 className="font-semibold">{t("account.channels.webhook")}</h3>
      <p className="text-[0.9375rem]">{t("account.channels.webhookText")}</p>
      {disabledAt && (
        <p className="rounded-lg bg-soon-wash px-4 py-3 text-[0.9375rem] text-soon">
          {t("account.channels.off", { moment: formatMoment(disabledAt) })}
        </p>
      )}
      {secret && (
        <NewSecret text={t("account.channels.secret")} secret={secret} onDone={() => setSecret(null)} />
      )}
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(url, {
            onSuccess: (saved) => {
              showSecret(saved);
              toast.success(t("account.channels.saved"));
            },
          });
        }}
      >
        <TextField
          label={t("account.channels.url")}
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={500}
          value={url}
          messageId={messageId}
          onChange={(event) => setUrl(event.target.value)}
        />
        <FormMessage id={messageId}>{error && messageOf(error, t("account.channels.failed"))}</FormMessage>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" size="small" disabled={save.isPending}>
            {t(disabledAt ? "account.channels.switchOn" : "account.channels.save")}
          </Button>
          {webhook && (
            <>
              <Button variant="outlined" size="small" disabled={test.isPending} onClick={() => test.mutate()}>
                {t("account.channels.test")}
              </Button>
              <Button
                variant="outlined"
                size="small"
                disabled={renew.isPending}
                onClick={() => renew.mutate(undefined, { onSuccess: showSecret })}
              >
                {t("account.channels.renew")}
              </Button>
              <Button
                variant="outlined"
                size="small"
                disabled={remove.isPending}
                onClick={() => remove.mutate(undefined, { onSuccess: () => setUrl("") })}
              >
                {t("account.channels.remove")}
              </Button>
            </>
          )}
        </div>
      </form>
      {webhook && <WebhookCalls calls={webhook.calls} />}
    </div>
  );
}

export function Channels() {
  const { t } = useTranslation();
  const channels = useQuery(notificationChannels).data;
  if (!channels) return null;
  const offersPhoneChannels = channels.offered.some((channel) => channel !== "webhook");
  return (
    <SectionCard title={t("account.channels.title")}>
      <p className="mb-6 text-[0.9375rem]">{t("account.channels.text")}</p>
      <div className="grid gap-6">
        {offersPhoneChannels && <PhoneSettings phone={channels.phone} />}
        <WebhookSettings webhook={channels.webhook} />
      </div>
    </SectionCard>
  );
}
