// Corrects the newspaper or the issue date of a file of pages. The pages are read again.

import { type FormEvent, useId, useState } from "react";
import { ApiError } from "@/api/error.ts";
import type { NewspaperPage } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { useCorrectIssue } from "./api.ts";

export function CorrectIssueDialog({ page, onClose }: { page: NewspaperPage; onClose: () => void }) {
  const { t } = useTranslation();
  const formId = useId();
  const [publication, setPublication] = useState(page.publication);
  const [date, setDate] = useState(page.date ?? "");
  const correct = useCorrectIssue(page._id);
  const problems = correct.error instanceof ApiError ? correct.error.errors : [];
  const problemOf = (field: string) => problems.find((problem) => problem.field === field)?.message;
  const isSame = publication.trim() === page.publication && date === (page.date ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    correct.mutate({ publication: publication.trim(), date: date || null }, { onSuccess: onClose });
  };
  return (
    <ConfirmDialog
      title={t("operate.pages.correctTitle")}
      onClose={onClose}
      confirm={
        <Button type="submit" form={formId} disabled={correct.isPending || isSame}>
          {t("operate.pages.correctConfirm")}
        </Button>
      }
    >
      <p>{t("operate.pages.correctHelp", { file: page.fileName })}</p>
      <form id={formId} noValidate onSubmit={submit} className="mt-4 grid gap-4 text-ink">
        <TextField
          label={t("operate.pages.issueNewspaper")}
          optional={t("account.optional")}
          value={publication}
          maxLength={100}
          error={problemOf("publication")}
          onChange={(event) => setPublication(event.target.value)}
        />
        <TextField
          type="date"
          label={t("operate.pages.date")}
          optional={t("account.optional")}
          value={date}
          error={problemOf("date")}
          onChange={(event) => setDate(event.target.value)}
        />
      </form>
    </ConfirmDialog>
  );
}
