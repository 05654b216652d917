// The page on which an administrator chooses a batch of notices, sees what its withdrawal would do,
// and withdraws it.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { BatchForm, BatchPreview } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { Button } from "@/ui/Button.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { useFilters, useSearchText } from "../filters.ts";
import { OperatePage } from "../OperatePage.tsx";
import { pageFileName } from "../pages/api.ts";
import { tokenList } from "../tokens.ts";
import { batchPreview, useWithdraw } from "./api.ts";
import { BATCH_KINDS, type BatchField, batchOf, kindOf, pagesPathOf } from "./batchForm.ts";
import { Numbers } from "./Numbers.tsx";

type SetField = (name: BatchField, value: string) => void;

function IssueFields({ params, setField }: { params: URLSearchParams; setField: SetField }) {
  const { t } = useTranslation();
  const [publication, setPublication] = useSearchText(params.get("publication") ?? "", (text) =>
    setField("publication", text),
  );
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
      <TextField
        label={t("operate.batches.publication")}
        help={t("operate.batches.publicationHelp")}
        value={publication}
        maxLength={100}
        onChange={(event) => setPublication(event.target.value)}
      />
      <TextField
        type="date"
        label={t("operate.batches.date")}
        value={params.get("date") ?? ""}
        onChange={(event) => setField("date", event.target.value)}
      />
    </div>
  );
}

function FileField({ file }: { file: string }) {
  const { t } = useTranslation();
  const { data: name } = useQuery(pageFileName(file));
  return (
    <p className="wrap-anywhere">
      {file ? (
        <span className="font-semibold">{name ?? t("operate.batches.kind.file")}</span>
      ) : (
        t("operate.batches.chooseFile")
      )}{" "}
      <Link to={paths.operatePages} className="text-accent underline">
        {t("operate.batches.toPages")}
      </Link>
    </p>
  );
}

function SentFields({ params, setField }: { params: URLSearchParams; setField: SetField }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(tokenList(undefined));
  const tokens = list.data?.pages.flatMap(({ tokens }) => tokens) ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SelectField
        label={t("operate.batches.token")}
        value={params.get("token") ?? ""}
        onChange={(event) => setField("token", event.target.value)}
      >
        <option value="">{t("operate.batches.chooseToken")}</option>
        {tokens.map(({ _id, name }) => (
          <option key={_id} value={_id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        type="datetime-local"
        label={t("operate.batches.from")}
        value={params.get("from") ?? ""}
        onChange={(event) => setField("from", event.target.value)}
      />
      <TextField
        type="datetime-local"
        label={t("operate.batches.until")}
        help={t("operate.batches.untilHelp")}
        value={params.get("until") ?? ""}
        onChange={(event) => setField("until", event.target.value)}
      />
    </div>
  );
}

function WithdrawForm({ batch, preview }: { batch: BatchForm; preview: BatchPreview }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const messageId = useId();
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const withdraw = useWithdraw(({ _id }) => void navigate(paths.operateBatch(_id)));
  const lacksReason = reason.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (lacksReason) return;
    withdraw.mutate({ batch, reason: reason.trim(), notices: preview.notices });
  };
  return (
    <form noValidate onSubmit={submit} className="mt-6 grid gap-4">
      <TextField
        label={t("operate.batches.reason")}
        help={t("operate.batches.reasonHelp")}
        value={reason}
        maxLength={500}
        error={tried && lacksReason ? t("operate.batches.reasonMissing") : undefined}
        onChange={(event) => setReason(event.target.value)}
      />
      <FormMessage id={messageId}>
        {withdraw.error ? messageOf(withdraw.error, t("operate.users.actionFailed")) : null}
      </FormMessage>
      <div>
        <Button type="submit" variant="danger" disabled={withdraw.isPending}>
          {t("operate.batches.withdraw", { count: preview.notices })}
        </Button>
      </div>
    </form>
  );
}

function Preview({ batch }: { batch: BatchForm }) {
  const { t } = useTranslation();
  const { data: preview, error, isFetching } = useQuery(batchPreview(batch));
  const pagesPath = pagesPathOf(batch);
  if (error) return <ErrorBanner title={messageOf(error, t("operate.failed"))} />;
  return (
    <SectionCard title={t("operate.batches.preview")}>
      <div role="status" aria-busy={isFetching}>
        {preview && preview.notices === 0 && <p>{t("operate.batches.empty")}</p>}
        {preview && preview.notices > 0 && (
          <Numbers
            numbers={[
              [t("operate.batches.willReject"), preview.notices],
              [t("operate.batches.ofThemWaiting"), preview.waiting],
              [t("operate.batches.willWithdraw"), preview.tenders],
              [t("operate.batches.printedElsewhere"), preview.printedElsewhere],
              [t("operate.batches.owned"), preview.owned],
              [t("operate.batches.willMail"), preview.readers],
            ]}
          />
        )}
      </div>
      {pagesPath && (
        <p className="mt-4">
          <Link to={pagesPath} className="text-accent underline underline-offset-4">
            {t("operate.batches.lookAtPages")}
          </Link>
        </p>
      )}
      {preview && preview.notices > 0 && <WithdrawForm batch={batch} preview={preview} />}
    </SectionCard>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { params, setFilter } = useFilters<BatchField>();
  const kind = kindOf(params);
  const batch = batchOf(params);
  return (
    <OperatePage title={t("operate.batches.newTitle")}>
      <p className="mt-2 mb-6 max-w-[75ch] text-ink-soft">{t("operate.batches.newText")}</p>
      <div className="grid gap-6">
        <SectionCard title={t("operate.batches.choose")}>
          <div className="grid gap-5">
            <div className="sm:w-72">
              <SelectField
                label={t("operate.batches.kindLabel")}
                value={kind}
                onChange={(event) => setFilter("kind", parseEnum(BATCH_KINDS, event.target.value) ?? "")}
              >
                {BATCH_KINDS.map((value) => (
                  <option key={value} value={value}>
                    {t(`operate.batches.kind.${value}`)}
                  </option>
                ))}
              </SelectField>
            </div>
            {kind === "issue" && <IssueFields params={params} setField={setFilter} />}
            {kind === "file" && <FileField file={params.get("file") ?? ""} />}
            {kind === "sent" && <SentFields params={params} setField={setFilter} />}
          </div>
        </SectionCard>
        {batch && <Preview key={JSON.stringify(batch)} batch={batch} />}
      </div>
    </OperatePage>
  );
}
