// The dialog with which an operator adds or changes an expected newspaper.

import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { Checkbox, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { ListField } from "@/ui/ListField.tsx";
import { type PaperInput, useCoverageAction, useFailure, WEEKDAYS } from "./api.ts";

/** The newspaper that is changed. */
export interface ChangedPaper {
  id: string;
  version: number;
}

export function PaperDialog({
  initial,
  changed,
  onClose,
}: {
  initial: PaperInput;
  /** `null` for a new newspaper. */
  changed: ChangedPaper | null;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [formId, messageId] = [useId(), useId()];
  const [paper, setPaper] = useState(initial);
  const [minPages, setMinPages] = useState(String(initial.minPages));
  const [tried, setTried] = useState(false);
  const action = useCoverageAction();
  const failure = useFailure(action.error);
  const change = (part: Partial<PaperInput>) => setPaper((paper) => ({ ...paper, ...part }));
  const pages = Number(minPages);
  const wrong = {
    name: paper.name.trim() === "",
    weekdays: paper.weekdays.length === 0,
    dueTime: paper.dueTime === "",
    minPages: !Number.isInteger(pages) || pages < 1 || pages > 200,
    activeFrom: paper.activeFrom === "",
  };
  const shown = (field: keyof typeof wrong) =>
    tried && wrong[field] ? t(`operate.coverage.papers.missing.${field}`) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.values(wrong).some(Boolean)) return;
    const entered = { ...paper, name: paper.name.trim(), minPages: pages };
    action.mutate(
      changed ? { kind: "changePaper", ...changed, paper: entered } : { kind: "addPaper", paper: entered },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={
        changed
          ? t("operate.coverage.papers.changeTitle", { name: initial.name })
          : t("operate.coverage.papers.add")
      }
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("operate.users.cancel")}
          </Button>
          <Button type="submit" form={formId} disabled={action.isPending}>
            {t(changed ? "operate.coverage.papers.save" : "operate.coverage.papers.add")}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="mt-4 grid gap-5 text-ink">
        <TextField
          label={t("operate.coverage.papers.name")}
          value={paper.name}
          maxLength={100}
          error={shown("name")}
          onChange={(event) => change({ name: event.target.value })}
        />
        <ListField
          label={t("operate.coverage.papers.spellings")}
          optional={t("operate.pages.upload.optional")}
          help={t("operate.coverage.papers.spellingsHelp")}
          entries={paper.spellings}
          onChange={(spellings) => change({ spellings })}
          add={t("operate.coverage.papers.addSpelling")}
          remove={(spelling) => t("operate.coverage.papers.removeSpelling", { spelling })}
          unique
        />
        <CheckGroup
          label={t("operate.coverage.papers.weekdays")}
          values={WEEKDAYS}
          name={(day) => t(`operate.coverage.weekday.${day}`)}
          chosen={paper.weekdays}
          error={shown("weekdays")}
          onChange={(weekdays) => change({ weekdays })}
        />
        <div className="grid items-start gap-5 sm:grid-cols-3">
          <TextField
            type="time"
            label={t("operate.coverage.papers.dueTime")}
            help={t("operate.coverage.papers.dueTimeHelp")}
            value={paper.dueTime}
            error={shown("dueTime")}
            onChange={(event) => change({ dueTime: event.target.value })}
          />
          <TextField
            type="number"
            min={1}
            max={200}
            label={t("operate.coverage.papers.minPages")}
            value={minPages}
            error={shown("minPages")}
            onChange={(event) => setMinPages(event.target.value)}
          />
          <TextField
            type="date"
            label={t("operate.coverage.papers.activeFrom")}
            value={paper.activeFrom}
            error={shown("activeFrom")}
            onChange={(event) => change({ activeFrom: event.target.value })}
          />
        </div>
        <div>
          <Checkbox
            label={t("operate.coverage.papers.printsOnPoya")}
            checked={paper.printsOnPoya}
            onChange={(event) => change({ printsOnPoya: event.target.checked })}
          />
          <Checkbox
            label={t("operate.coverage.papers.printsOnHolidays")}
            checked={paper.printsOnHolidays}
            onChange={(event) => change({ printsOnHolidays: event.target.checked })}
          />
        </div>
        <FormMessage id={messageId}>{failure}</FormMessage>
      </form>
    </Dialog>
  );
}
