// The page that lists messages of the contact form. An administrator answers them by mail, and
// marks them as answered or open.

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { CircleAlert, Inbox, Mail } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import type { ReceivedMessage } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { ActionMenu } from "@/ui/ActionMenu.tsx";
import { Badge } from "@/ui/Badge.tsx";
import { Button, buttonStyle } from "@/ui/Button.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { useFilters, useSearchText } from "./filters.ts";
import { answerAddress, type MessageFilters, messageList, useUpdateMessage } from "./messages.ts";
import { OperatePage } from "./OperatePage.tsx";
import { PartialList } from "./PartialList.tsx";

/** A longer message is shown in part. */
const MAX_SHOWN = 600;

function UpdateDialog({ message, onClose }: { message: ReceivedMessage; onClose: () => void }) {
  const { t } = useTranslation();
  const formId = useId();
  const [note, setNote] = useState(message.note ?? "");
  const update = useUpdateMessage(message._id);
  const isAnswered = message.answeredAt === null;
  const { name } = message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ isAnswered, note: note.trim() || null }, { onSuccess: onClose });
  };
  return (
    <ConfirmDialog
      title={
        isAnswered ? t("operate.messages.markTitle", { name }) : t("operate.messages.reopenTitle", { name })
      }
      onClose={onClose}
      confirm={
        <Button type="submit" form={formId} disabled={update.isPending}>
          {isAnswered ? t("operate.messages.markConfirm") : t("operate.messages.reopenConfirm")}
        </Button>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="mt-4 text-ink">
        <TextField
          label={t("operate.messages.note")}
          optional={t("account.optional")}
          help={t("operate.messages.noteHelp")}
          value={note}
          maxLength={500}
          onChange={(event) => setNote(event.target.value)}
        />
      </form>
    </ConfirmDialog>
  );
}

function MessageText({ text }: { text: string }) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(text.length <= MAX_SHOWN);
  return (
    <div className="mt-1">
      <p className="max-w-[75ch] whitespace-pre-wrap wrap-anywhere">
        {isWhole ? text : `${text.slice(0, MAX_SHOWN)}…`}
      </p>
      {!isWhole && (
        <Button variant="plain" size="small" className="-ml-3" onClick={() => setWhole(true)}>
          {t("operate.messages.showAll")}
        </Button>
      )}
    </div>
  );
}

function MessageRow({ message }: { message: ReceivedMessage }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isUpdating, setUpdating] = useState(false);
  const { _id, name, email, tender, answeredAt, answeredBy } = message;
  const subject = tender
    ? t("operate.messages.subjectAbout", { title: tender.title })
    : t("operate.messages.subject");
  const moment = answeredAt ? formatMoment(answeredAt) : null;
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold wrap-anywhere">{name}</span>
          {message.isPriority && <Badge tone="accent">{t("operate.messages.priority")}</Badge>}
          {tender && (
            <Badge tone="soon" icon={CircleAlert}>
              {t("operate.messages.mistake")}
            </Badge>
          )}
          <time dateTime={message.at} className="text-sm text-ink-soft tabular-nums">
            {formatMoment(message.at)}
          </time>
        </p>
        <p className="text-[0.9375rem] wrap-anywhere text-ink-soft">
          {email}
          {message.userId && (
            <>
              {" · "}
              <Link
                to={`${paths.operateUsers}?search=${encodeURIComponent(email)}`}
                className="text-accent underline"
              >
                {t("operate.messages.account")}
              </Link>
            </>
          )}
        </p>
        {tender && (
          <p className="text-[0.9375rem] wrap-anywhere">
            {t("operate.messages.about")}{" "}
            <Link to={paths.tender(tender._id)} className="text-accent underline">
              {tender.title}
            </Link>
          </p>
        )}
        <MessageText text={message.message} />
        {moment && (
          <p className="mt-1 text-sm text-ink-soft wrap-anywhere">
            {answeredBy
              ? t("operate.messages.answered", { moment, name: answeredBy })
              : t("operate.messages.answeredAlone", { moment })}
          </p>
        )}
        {message.note && (
          <p className="text-sm wrap-anywhere">
            {t("operate.messages.note")}: {message.note}
          </p>
        )}
        <a
          href={answerAddress(email, subject, message.message)}
          aria-label={t("operate.messages.answerLabel", { name })}
          className={`mt-2 ${buttonStyle({ variant: "outlined", size: "small" })}`}
        >
          <Mail size={16} aria-hidden />
          {t("operate.messages.answer")}
        </a>
      </div>
      <ActionMenu
        label={t("operate.users.actions", { name })}
        actions={[
          {
            label: answeredAt ? t("operate.messages.reopen") : t("operate.messages.mark"),
            onChoose: () => setUpdating(true),
          },
          {
            label: t("operate.users.history"),
            onChoose: () => void navigate(`${paths.operateAudit}?subject=${_id}`),
          },
        ]}
      />
      {isUpdating && <UpdateDialog message={message} onClose={() => setUpdating(false)} />}
    </div>
  );
}

function MessageList({ filters }: { filters: MessageFilters }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({ ...messageList(filters), placeholderData: keepPreviousData });
  const isFiltered = filters.isAnswered || filters.search !== undefined;
  return (
    <PartialList
      list={list}
      items={list.data?.pages.flatMap(({ messages }) => messages) ?? []}
      keyOf={({ _id }) => _id}
      empty={
        <EmptyState
          icon={<Inbox size={22} />}
          title={isFiltered ? t("operate.messages.none") : t("operate.messages.noneOpen")}
        >
          {t("operate.messages.noneHelp")}
        </EmptyState>
      }
    >
      {(message) => <MessageRow message={message} />}
    </PartialList>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<"search" | "answered">();
  const filters: MessageFilters = {
    isAnswered: params.get("answered") === "true",
    ...(params.get("search") && { search: params.get("search") ?? "" }),
  };
  const [search, setSearch] = useSearchText(filters.search ?? "", (text) => setFilter("search", text));
  return (
    <OperatePage title={t("operate.messages.title")}>
      <search className="mt-4 mb-6 grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <TextField
          type="search"
          label={t("operate.messages.search")}
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.target.value)}
        />
        <SelectField
          label={t("operate.messages.show")}
          value={String(filters.isAnswered)}
          onChange={(event) => setFilter("answered", event.target.value === "true" ? "true" : "")}
        >
          <option value="false">{t("operate.messages.onlyOpen")}</option>
          <option value="true">{t("operate.messages.onlyAnswered")}</option>
        </SelectField>
      </search>
      <MessageList filters={filters} />
    </OperatePage>
  );
}
