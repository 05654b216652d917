// The form of a report: filters, period, columns, totals, a preview, downloads, and saving.

import { useQuery } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { type FormEvent, useId, useRef, useState } from "react";
import { parseEnum } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { AdvancedSearch } from "@/shared/tender/AdvancedSearch.tsx";
import { SECTORS } from "@/shared/tender/vocabulary.ts";
import { Button } from "@/ui/Button.tsx";
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { Checkbox, SelectField, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { toast } from "@/ui/toasts.ts";
import { reportPreview, useDownloadReport, useSaveReport } from "./api.ts";
import { ColumnPicker } from "./ColumnPicker.tsx";
import {
  type Format,
  GROUPINGS,
  isComplete,
  MAX_NAME_LENGTH,
  type ReportDraft,
  type ReportQuery,
  reportFilters,
  SPANS,
  withFilters,
} from "./form.ts";
import { ReportPreview } from "./ReportPreview.tsx";

interface FieldsProps {
  report: ReportQuery;
  onChange: (report: ReportQuery) => void;
}

function FilterFields({ report, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const preview = useQuery(reportPreview(report)).data;
  const filters = reportFilters(report, preview);
  const applySearch = (search: string) => {
    if (search !== filters.search) onChange(withFilters(report, { search }));
  };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 text-lg font-semibold">{t("reports.filters")}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          key={filters.search}
          label={t("reports.search")}
          help={t("reports.searchHelp")}
          defaultValue={filters.search}
          maxLength={200}
          onBlur={(event) => applySearch(event.target.value.trim())}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            applySearch(event.currentTarget.value.trim());
          }}
        />
        <SelectField
          label={t("reports.sector")}
          value={filters.category ?? "all"}
          onChange={({ target }) =>
            onChange(withFilters(report, { category: parseEnum(SECTORS, target.value) }))
          }
        >
          {(["all", ...SECTORS] as const).map((sector) => (
            <option key={sector} value={sector}>
              {t(`tenders.sector.${sector}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <AdvancedSearch
        permitted
        filters={filters}
        hiddenDateFilter={report.period.by === "closing" ? "closing" : "published"}
        onChange={(advanced) => onChange(withFilters(report, { advanced }))}
      />
    </fieldset>
  );
}

function PeriodFields({ report, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const { period } = report;
  const change = (part: Partial<ReportQuery["period"]>) =>
    onChange({ ...report, period: { ...period, ...part } });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 text-lg font-semibold">{t("reports.period")}</legend>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <SelectField
          label={t("reports.by")}
          value={period.by ?? "published"}
          onChange={({ target }) => {
            const by = target.value === "closing" ? "closing" : "published";
            // The period replaces an earlier filter on the same date.
            const next: ReportQuery = { ...report, period: { ...period, by } };
            onChange(withFilters(next, {}));
          }}
        >
          <option value="published">{t("reports.byPublished")}</option>
          <option value="closing">{t("reports.byClosing")}</option>
        </SelectField>
        <SelectField
          label={t("reports.span")}
          value={period.span}
          onChange={({ target }) => change({ span: parseEnum(SPANS, target.value) ?? period.span })}
        >
          {SPANS.map((span) => (
            <option key={span} value={span}>
              {t(`reports.spans.${span}`)}
            </option>
          ))}
        </SelectField>
        {period.span === "range" && (
          <>
            <TextField
              label={t("reports.from")}
              type="date"
              value={period.from ?? ""}
              onChange={({ target }) => change({ from: target.value || undefined })}
            />
            <TextField
              label={t("reports.until")}
              type="date"
              value={period.until ?? ""}
              onChange={({ target }) => change({ until: target.value || undefined })}
            />
          </>
        )}
      </div>
    </fieldset>
  );
}

function DownloadButtons({ draft }: { draft: ReportDraft }) {
  const { t } = useTranslation();
  const file = useDownloadReport();
  const button = (format: Format) => (
    <Button
      variant="outlined"
      disabled={file.isPending || !isComplete(draft.definition)}
      onClick={() => file.mutate({ draft, format })}
    >
      <FileDown size={17} aria-hidden />
      {t(file.isPending && file.variables.format === format ? "reports.downloading" : `reports.${format}`)}
    </Button>
  );
  return (
    <>
      {button("csv")}
      {button("xlsx")}
    </>
  );
}

export function ReportBuilder({
  initial,
  user,
  onClose,
}: {
  initial: ReportDraft;
  user: User;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [headingId, messageId] = [useId(), useId()];
  const nameField = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(initial);
  const [isNameless, setNameless] = useState(false);
  const save = useSaveReport();
  const changeReport = (report: ReportQuery) => setDraft({ ...draft, definition: report });
  const report = draft.definition;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = draft.name.trim();
    setNameless(name === "");
    if (name === "") return void nameField.current?.focus();
    save.mutate(
      { ...draft, name },
      {
        onSuccess: () => {
          toast.success(t("reports.savedToast"));
          onClose();
        },
      },
    );
  };
  return (
    <form
      noValidate
      aria-labelledby={headingId}
      onSubmit={submit}
      className="rounded-2xl border border-line bg-sheet px-4 py-5 sm:px-7 sm:py-6"
    >
      <h2 id={headingId} className="text-xl font-bold tracking-tight">
        {initial.id ? initial.name : t("reports.newTitle")}
      </h2>
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-7">
        <FilterFields report={report} onChange={changeReport} />
        <PeriodFields report={report} onChange={changeReport} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-7 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <ColumnPicker
            chosen={report.columns}
            onChange={(columns) => changeReport({ ...report, columns })}
          />
          <CheckGroup
            label={t("reports.totals")}
            help={t("reports.totalsHelp")}
            values={GROUPINGS}
            name={(grouping) => t(`reports.total.${grouping}`)}
            chosen={report.totals ?? []}
            onChange={(totals) => changeReport({ ...report, totals })}
          />
        </div>
        {isComplete(report) && <ReportPreview report={report} />}
        <div className="grid gap-4 border-t border-line pt-6">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              ref={nameField}
              label={t("reports.name")}
              help={t("reports.nameHelp")}
              value={draft.name}
              maxLength={MAX_NAME_LENGTH}
              error={isNameless ? t("reports.nameMissing") : undefined}
              messageId={messageId}
              onChange={({ target }) => setDraft({ ...draft, name: target.value })}
            />
          </div>
          <Checkbox
            label={t("reports.monthlyField")}
            {...(!user.emailVerified && { help: t("reports.unverified") })}
            checked={draft.isMonthly}
            onChange={({ target }) => setDraft({ ...draft, isMonthly: target.checked })}
          />
          <FormMessage id={messageId}>
            {save.error ? messageOf(save.error, t("reports.failed")) : null}
          </FormMessage>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" disabled={save.isPending || !isComplete(report)}>
              {t(save.isPending ? "reports.saving" : initial.id ? "reports.saveChanges" : "reports.save")}
            </Button>
            <DownloadButtons draft={draft} />
            <Button variant="plain" onClick={onClose}>
              {t("reports.discard")}
            </Button>
          </div>
        </div>
      </div>
    </form>
  );
}
