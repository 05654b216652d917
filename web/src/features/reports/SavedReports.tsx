// The list of saved reports. Users can open, download and delete each one, or have it mailed
// monthly.

import { FileDown, FileSpreadsheet } from "lucide-react";
import { useId, useState } from "react";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ActionMenu } from "@/ui/ActionMenu.tsx";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { Switch } from "@/ui/Switch.tsx";
import { toast } from "@/ui/toasts.ts";
import { useDeleteReport, useDownloadReport, useSaveReport } from "./api.ts";
import { type Format, type Report, toDraft } from "./form.ts";

function ReportRow({ report, onOpen }: { report: Report; onOpen: () => void }) {
  const { t } = useTranslation();
  const [isConfirming, setConfirming] = useState(false);
  const save = useSaveReport();
  const remove = useDeleteReport();
  const file = useDownloadReport();
  const { name } = report;
  const switchMail = (isMonthly: boolean) =>
    save.mutate(
      { ...toDraft(report), isMonthly },
      {
        onSuccess: () =>
          void toast.success(t(isMonthly ? "reports.saved.monthlyOn" : "reports.saved.monthlyOff")),
        onError: (error) => void toast.error(t("reports.failed"), { description: messageOf(error, "") }),
      },
    );
  const download = (format: Format) => (
    <Button
      variant="plain"
      size="small"
      aria-label={t(format === "csv" ? "reports.downloadCsv" : "reports.downloadXlsx", { name })}
      disabled={file.isPending}
      onClick={() => file.mutate({ draft: toDraft(report), format })}
    >
      <FileDown size={16} aria-hidden />
      {t(`reports.${format}`)}
    </Button>
  );
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <FileSpreadsheet size={18} aria-hidden className="shrink-0 text-ink-soft" />
      <div className="min-w-40 flex-1">
        <button
          type="button"
          onClick={onOpen}
          className="min-h-11 text-left font-semibold break-words hover:text-accent hover:underline"
        >
          {name}
        </button>
        <p className="-mt-1.5 pb-1.5 text-sm text-ink-soft">
          {t(`reports.spans.${report.asked.period.span}`)}
        </p>
      </div>
      <span className="inline-flex items-center gap-1 text-sm text-ink-soft">
        {t("reports.saved.monthlyShort")}
        <Switch
          label={t("reports.saved.monthly", { name })}
          checked={report.isMonthly}
          disabled={save.isPending}
          onChange={switchMail}
        />
      </span>
      <span className="inline-flex items-center">
        {download("csv")}
        {download("xlsx")}
        <ActionMenu
          label={t("reports.saved.more", { name })}
          actions={[
            { label: t("reports.saved.delete"), isDestructive: true, onChoose: () => setConfirming(true) },
          ]}
        />
      </span>
      <Dialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={t("reports.saved.deleteTitle", { name })}
        actions={
          <>
            <Button variant="outlined" onClick={() => setConfirming(false)}>
              {t("reports.saved.cancel")}
            </Button>
            <Button
              variant="danger"
              onClick={() => {
                setConfirming(false);
                remove.mutate(report._id);
              }}
            >
              {t("reports.saved.delete")}
            </Button>
          </>
        }
      >
        {t("reports.saved.deleteText")}
      </Dialog>
    </li>
  );
}

export function SavedReports({
  reports,
  quota,
  onOpen,
}: {
  reports: Report[];
  quota: number;
  onOpen: (report: Report) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="text-lg font-semibold">
          {t("reports.saved.title")}
        </h2>
        {reports.length > 0 && (
          <p className="text-sm text-ink-soft">{t("reports.saved.used", { used: reports.length, quota })}</p>
        )}
      </div>
      {reports.length > 0 ? (
        <ul className="divide-y divide-line rounded-xl border border-line bg-sheet">
          {reports.map((report) => (
            <ReportRow key={report._id} report={report} onOpen={() => onOpen(report)} />
          ))}
        </ul>
      ) : (
        <p className="rounded-xl border border-dashed border-edge/60 px-5 py-6 text-[0.9375rem] text-ink-soft">
          {t("reports.saved.none")}
        </p>
      )}
    </section>
  );
}
