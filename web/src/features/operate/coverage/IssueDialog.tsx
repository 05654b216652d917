// The dialog about an issue: what is there, and what an operator can do about a gap.

import { type FormEvent, useId, useState } from "react";
import type { ExpectedPaper, Issue } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { useCoverageAction, useFailure } from "./api.ts";
import { pagesOf, StateIcon, useContentText, useDueText } from "./issueStates.tsx";

/** An issue with its newspaper. `paper` is `null` if the newspaper is not in the table. */
export interface OpenIssue {
  name: string;
  paper: ExpectedPaper | null;
  issue: Issue;
}

/** The address of the form that adds this newspaper to the table. */
export const addPaperPath = (name: string) => `${paths.operatePapers}?${new URLSearchParams({ add: name })}`;

function AbsenceForm({ paper, issue, onClose }: { paper: ExpectedPaper; issue: Issue; onClose: () => void }) {
  const { t } = useTranslation();
  const messageId = useId();
  const [note, setNote] = useState("");
  const action = useCoverageAction();
  const failure = useFailure(action.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate(
      { kind: "noteAbsence", id: paper._id, day: issue.date, note: note.trim() },
      { onSuccess: onClose },
    );
  };
  return (
    <form noValidate onSubmit={submit} className="mt-5 grid gap-4 border-t border-line pt-4 text-ink">
      <TextField
        label={t("operate.coverage.note")}
        optional={t("operate.pages.upload.optional")}
        help={t("operate.coverage.noteHelp")}
        value={note}
        maxLength={500}
        onChange={(event) => setNote(event.target.value)}
      />
      <FormMessage id={messageId}>{failure}</FormMessage>
      <div>
        <Button type="submit" variant="outlined" disabled={action.isPending}>
          {t("operate.coverage.didNotAppear")}
        </Button>
      </div>
    </form>
  );
}

export function IssueDialog({
  open: { name, paper, issue },
  onClose,
}: {
  open: OpenIssue;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const action = useCoverageAction();
  const failure = useFailure(action.error);
  const [content, due] = [useContentText(issue), useDueText(issue)];
  const day = formatDay(issue.date);
  const pages = new URLSearchParams({
    date: issue.date,
    ...(paper ? { paper: paper._id } : { publication: name }),
  });
  const upload = new URLSearchParams({ uploadTo: name, uploadDate: issue.date });
  const isOpen = issue.read === 0 && issue.notices === 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("operate.coverage.issue", { name, day })}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("operate.coverage.close")}
          </Button>
          {pagesOf(issue) > 0 && (
            <ButtonLink variant={isOpen ? "outlined" : "filled"} to={`${paths.operatePages}?${pages}`}>
              {t("operate.coverage.showPages")}
            </ButtonLink>
          )}
          {paper ? (
            <ButtonLink variant={isOpen ? "filled" : "outlined"} to={`${paths.operatePages}?${upload}`}>
              {t("operate.coverage.uploadPages")}
            </ButtonLink>
          ) : (
            <ButtonLink to={addPaperPath(name)}>{t("operate.coverage.addToTable")}</ButtonLink>
          )}
        </>
      }
    >
      <p className="flex items-center gap-2 font-semibold text-ink">
        <StateIcon state={issue.state} />
        {t(`operate.coverage.state.${issue.state}`)}
      </p>
      <p className="mt-2">{content || t("operate.coverage.nothing")}</p>
      {paper && <p>{due}</p>}
      {!paper && <p className="mt-2">{t("operate.coverage.unlistedHelp")}</p>}
      {paper && issue.absence !== null && (
        <div className="mt-4 border-t border-line pt-4">
          <p>
            {issue.absence
              ? t("operate.coverage.absentNote", { note: issue.absence })
              : t("operate.coverage.absentNoted")}
          </p>
          <FormMessage id="absence-failure">{failure}</FormMessage>
          <Button
            variant="outlined"
            className="mt-3"
            disabled={action.isPending}
            onClick={() =>
              action.mutate({ kind: "removeAbsence", id: paper._id, day: issue.date }, { onSuccess: onClose })
            }
          >
            {t("operate.coverage.expectAgain")}
          </Button>
        </div>
      )}
      {paper && issue.absence === null && isOpen && issue.dueAt && (
        <AbsenceForm paper={paper} issue={issue} onClose={onClose} />
      )}
    </Dialog>
  );
}
