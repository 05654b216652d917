// The page that lists payment events that were not applied. An administrator resolves them with the
// provider, and marks them as settled.

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { BadgeCheck } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import type { OpenPaymentEvent } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { formatMoment } from "@/shared/format/dates.ts";
import { numberFormat } from "@/shared/format/numberFormat.ts";
import { paths } from "@/shared/paths.ts";
import { ActionMenu } from "@/ui/ActionMenu.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { useFilters } from "./filters.ts";
import { OperatePage } from "./OperatePage.tsx";
import { PartialList } from "./PartialList.tsx";
import { PaymentViews } from "./PaymentViews.tsx";
import { paymentEvents, useSettlePayment } from "./payments.ts";

/** Amounts with cents: a payment may differ from the price by a cent. */
const amountFormat = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });

function SettleDialog({ event, onClose }: { event: OpenPaymentEvent; onClose: () => void }) {
  const { t } = useTranslation();
  const formId = useId();
  const [note, setNote] = useState(event.settlement?.note ?? "");
  const [tried, setTried] = useState(false);
  const settle = useSettlePayment(event._id);
  const isMissing = note.trim() === "";
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    setTried(true);
    if (!isMissing) settle.mutate(note.trim(), { onSuccess: onClose });
  };
  return (
    <ConfirmDialog
      title={t("operate.payments.settleTitle", { id: event.eventId.slice(0, 40) })}
      onClose={onClose}
      confirm={
        <Button type="submit" form={formId} disabled={settle.isPending}>
          {t("operate.payments.settleConfirm")}
        </Button>
      }
    >
      <p>{t("operate.payments.settleHelp")}</p>
      <form id={formId} noValidate onSubmit={submit} className="mt-4 text-ink">
        <TextField
          label={t("operate.payments.note")}
          help={t("operate.payments.noteHelp")}
          value={note}
          maxLength={500}
          error={tried && isMissing ? t("operate.payments.noteMissing") : undefined}
          onChange={(change) => setNote(change.target.value)}
        />
      </form>
    </ConfirmDialog>
  );
}

function EventRow({ event }: { event: OpenPaymentEvent }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isSettling, setSettling] = useState(false);
  const { email, settlement } = event;
  const kind = event.kind as "paid" | null;
  const references = [
    t("operate.payments.eventId", { provider: event.provider, id: event.eventId }),
    event.reference && t("operate.payments.charge", { id: event.reference }),
    event.checkout && t("operate.payments.checkout", { id: event.checkout }),
  ].filter(Boolean);
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold">
            {kind ? t(`operate.payments.kind.${kind}`) : t("operate.payments.unreadable")}
          </span>
          {event.amount !== null && (
            <span className="font-semibold tabular-nums">
              {event.currency} {amountFormat(event.amount)}
            </span>
          )}
          <Badge tone={settlement ? "quiet" : "urgent"}>
            {t(`operate.payments.outcome.${event.outcome}`)}
          </Badge>
          <time dateTime={event.receivedAt} className="text-sm text-ink-soft tabular-nums">
            {formatMoment(event.receivedAt)}
          </time>
        </p>
        <p className="text-[0.9375rem]">{t(`operate.payments.outcomeHelp.${event.outcome}`)}</p>
        {email && (
          <p className="text-[0.9375rem] wrap-anywhere">
            <Link
              to={`${paths.operateSubscriptions}?search=${encodeURIComponent(email)}`}
              className="text-accent underline"
            >
              {email}
            </Link>
          </p>
        )}
        <p className="text-sm wrap-anywhere text-ink-soft">{references.join(" · ")}</p>
        {event.body !== null && (
          <pre className="mt-1 max-h-40 overflow-auto rounded-md bg-well px-3 py-2 text-sm whitespace-pre-wrap wrap-anywhere">
            {event.body}
          </pre>
        )}
        {settlement && (
          <p className="mt-1 text-sm wrap-anywhere">
            {settlement.by
              ? t("operate.payments.settledBy", { moment: formatMoment(settlement.at), name: settlement.by })
              : t("operate.payments.settled", { moment: formatMoment(settlement.at) })}
            : {settlement.note}
          </p>
        )}
      </div>
      <ActionMenu
        label={t("operate.users.actions", { name: event.eventId })}
        actions={[
          {
            label: settlement ? t("operate.payments.changeNote") : t("operate.payments.settle"),
            onChoose: () => setSettling(true),
          },
          {
            label: t("operate.users.history"),
            onChoose: () =>
              void navigate(
                `${paths.operateAudit}?subject=${encodeURIComponent(`${event.provider}:${event.eventId}`)}`,
              ),
          },
        ]}
      />
      {isSettling && <SettleDialog event={event} onClose={() => setSettling(false)} />}
    </div>
  );
}

function EventList({ isSettled }: { isSettled: boolean }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({ ...paymentEvents(isSettled), placeholderData: keepPreviousData });
  return (
    <PartialList
      list={list}
      items={list.data?.pages.flatMap(({ events }) => events) ?? []}
      keyOf={({ _id }) => _id}
      empty={
        <EmptyState
          icon={<BadgeCheck size={22} />}
          title={isSettled ? t("operate.payments.noneSettled") : t("operate.payments.none")}
        >
          {t("operate.payments.noneHelp")}
        </EmptyState>
      }
    >
      {(event) => <EventRow event={event} />}
    </PartialList>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<"settled">();
  const isSettled = params.get("settled") === "true";
  return (
    <OperatePage title={t("operate.payments.title")}>
      <PaymentViews />
      <div className="mb-6 w-full sm:w-56">
        <SelectField
          label={t("operate.payments.show")}
          value={String(isSettled)}
          onChange={(event) => setFilter("settled", event.target.value === "true" ? "true" : "")}
        >
          <option value="false">{t("operate.payments.onlyOpen")}</option>
          <option value="true">{t("operate.payments.onlySettled")}</option>
        </SelectField>
      </div>
      <EventList isSettled={isSettled} />
    </OperatePage>
  );
}
