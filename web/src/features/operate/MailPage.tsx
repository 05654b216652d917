// The page that lists undelivered messages and suppressed addresses. An administrator sends messages
// again, and lifts suppressions.

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Ban, MailCheck, RotateCw } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import type { DeadMessage, SuppressedAddress } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { type Action, ActionMenu } from "@/ui/ActionMenu.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { useFilters, useSearchText } from "./filters.ts";
import { type DeadFilters, deadMessages, suppressedAddresses, useMailAction } from "./mail.ts";
import { OperatePage } from "./OperatePage.tsx";
import { PartialList } from "./PartialList.tsx";
import { Views } from "./Views.tsx";

const CHANNELS = ["email", "sms", "whatsapp", "webhook"] as const;

function DeadRow({ message, onReason }: { message: DeadMessage; onReason: (reason: string) => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const action = useMailAction();
  const { _id, address, reason } = message;
  const channel = parseEnum(CHANNELS, message.channel) ?? "email";
  const actions: Action[] = [
    { label: t("operate.mail.sameReason"), onChoose: () => onReason(reason) },
    {
      label: t("operate.users.history"),
      onChoose: () => void navigate(`${paths.operateAudit}?subject=${_id}`),
    },
  ];
  if (message.canRetry) {
    actions.unshift({
      label: t("operate.mail.retry"),
      onChoose: () => action.mutate({ kind: "retry", id: _id }),
    });
  }
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold wrap-anywhere">
            {message.subject ?? t(`operate.mail.channel.${channel}`)}
          </span>
          {message.isSuppressed && <Badge tone="urgent">{t("operate.mail.isSuppressed")}</Badge>}
        </p>
        <p className="text-[0.9375rem] wrap-anywhere">
          {address}
          <span className="text-sm text-ink-soft">
            {" · "}
            <time dateTime={message.at}>{formatMoment(message.at)}</time>
            {message.attempts > 0 && ` · ${t("operate.mail.attempts", { count: message.attempts })}`}
          </span>
        </p>
        <p className="text-sm wrap-anywhere text-ink-soft">{reason}</p>
      </div>
      <ActionMenu label={t("operate.users.actions", { name: address })} actions={actions} />
    </div>
  );
}

function RetryAllDialog({
  count,
  filters,
  onClose,
}: {
  count: number;
  filters: DeadFilters;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const action = useMailAction();
  return (
    <ConfirmDialog
      title={t("operate.mail.retryAllTitle", { count })}
      onClose={onClose}
      confirm={
        <Button
          disabled={action.isPending}
          onClick={() => action.mutate({ kind: "retryAll", filters }, { onSuccess: onClose })}
        >
          {t("operate.mail.retryAllConfirm")}
        </Button>
      }
    >
      {t("operate.mail.retryAllHelp")}
    </ConfirmDialog>
  );
}

function DeadMessages() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<"address" | "reason">();
  const [isRetrying, setRetrying] = useState(false);
  const [address, reason] = [params.get("address") ?? "", params.get("reason") ?? ""];
  const filters: DeadFilters = { ...(address && { address }), ...(reason && { reason }) };
  const [addressText, setAddressText] = useSearchText(address, (text) => setFilter("address", text));
  const [reasonText, setReasonText] = useSearchText(reason, (text) => setFilter("reason", text));
  const list = useInfiniteQuery({ ...deadMessages(filters), placeholderData: keepPreviousData });
  const count = list.data?.pages[0]?.retriable ?? 0;
  return (
    <>
      <search className="mb-4 grid gap-4 sm:grid-cols-2">
        <TextField
          type="search"
          label={t("operate.mail.address")}
          value={addressText}
          maxLength={500}
          onChange={(event) => setAddressText(event.target.value)}
        />
        <TextField
          type="search"
          label={t("operate.mail.reason")}
          value={reasonText}
          maxLength={500}
          onChange={(event) => setReasonText(event.target.value)}
        />
      </search>
      {count > 0 && (
        <div className="mb-4">
          <Button
            variant="outlined"
            size="small"
            disabled={list.isPlaceholderData}
            onClick={() => setRetrying(true)}
          >
            <RotateCw size={16} aria-hidden />
            {t("operate.mail.retryAll", { count })}
          </Button>
        </div>
      )}
      <PartialList
        list={list}
        items={list.data?.pages.flatMap(({ messages }) => messages) ?? []}
        keyOf={({ _id }) => _id}
        empty={
          <EmptyState icon={<MailCheck size={22} />} title={t("operate.mail.noneDead")}>
            {t("operate.mail.noneDeadHelp")}
          </EmptyState>
        }
      >
        {(message) => <DeadRow message={message} onReason={setReasonText} />}
      </PartialList>
      {isRetrying && <RetryAllDialog count={count} filters={filters} onClose={() => setRetrying(false)} />}
    </>
  );
}

function LiftDialog({ suppressed, onClose }: { suppressed: SuppressedAddress; onClose: () => void }) {
  const { t } = useTranslation();
  const action = useMailAction();
  return (
    <ConfirmDialog
      title={t("operate.mail.liftTitle", { address: suppressed.address })}
      onClose={onClose}
      confirm={
        <Button
          disabled={action.isPending}
          onClick={() => action.mutate({ kind: "lift", id: suppressed._id }, { onSuccess: onClose })}
        >
          {t("operate.mail.liftConfirm")}
        </Button>
      }
    >
      {suppressed.userId ? t("operate.mail.liftHelpUser") : t("operate.mail.liftHelp")}
    </ConfirmDialog>
  );
}

function SuppressedRow({ suppressed }: { suppressed: SuppressedAddress }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isLifting, setLifting] = useState(false);
  const { address } = suppressed;
  const actions: Action[] = [
    {
      label: t("operate.mail.deadOf"),
      onChoose: () => void navigate(`${paths.operateMail}?address=${encodeURIComponent(address)}`),
    },
    { label: t("operate.mail.lift"), onChoose: () => setLifting(true) },
  ];
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold wrap-anywhere">{address}</span>
          <Badge tone={suppressed.reason === "complaint" ? "urgent" : "soon"}>
            {t(`operate.mail.suppressionReason.${suppressed.reason}`)}
          </Badge>
        </p>
        <p className="text-sm wrap-anywhere text-ink-soft">
          {t("operate.mail.since", { moment: formatMoment(suppressed.at) })} · {suppressed.detail}
          {suppressed.userId && (
            <>
              {" · "}
              <Link
                to={`${paths.operateUsers}?search=${encodeURIComponent(address)}`}
                className="text-accent underline"
              >
                {t("operate.messages.account")}
              </Link>
            </>
          )}
        </p>
      </div>
      <ActionMenu label={t("operate.users.actions", { name: address })} actions={actions} />
      {isLifting && <LiftDialog suppressed={suppressed} onClose={() => setLifting(false)} />}
    </div>
  );
}

function SuppressedAddresses() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<"search">();
  const search = params.get("search") ?? "";
  const [text, setText] = useSearchText(search, (text) => setFilter("search", text));
  const list = useInfiniteQuery({ ...suppressedAddresses(search), placeholderData: keepPreviousData });
  return (
    <>
      <search className="mb-6 block max-w-xl">
        <TextField
          type="search"
          label={t("operate.mail.searchSuppressed")}
          value={text}
          maxLength={500}
          onChange={(event) => setText(event.target.value)}
        />
      </search>
      <PartialList
        list={list}
        items={list.data?.pages.flatMap(({ addresses }) => addresses) ?? []}
        keyOf={({ _id }) => _id}
        empty={
          <EmptyState icon={<Ban size={22} />} title={t("operate.mail.noneSuppressed")}>
            {t("operate.mail.noneSuppressedHelp")}
          </EmptyState>
        }
      >
        {(suppressed) => <SuppressedRow suppressed={suppressed} />}
      </PartialList>
    </>
  );
}

/** The page shows the undelivered messages or the suppressed addresses, each at its own address. */
export function MailPage({ view }: { view: "dead" | "suppressed" }) {
  const { t } = useTranslation();
  return (
    <OperatePage title={t("operate.mail.title")}>
      <Views
        label={t("operate.mail.views")}
        views={[
          [paths.operateMail, t("operate.mail.dead")],
          [paths.operateSuppressed, t("operate.mail.suppressed")],
        ]}
      />
      {view === "dead" ? <DeadMessages /> : <SuppressedAddresses />}
    </OperatePage>
  );
}
