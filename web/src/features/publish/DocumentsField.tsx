// The field for the documents of a tender. Users choose or drop files and see each upload's
// progress.

import { FileText, Paperclip, X } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatKilobytes } from "@/shared/format/money.ts";
import { Button } from "@/ui/Button.tsx";
import { ACCEPTED_TYPES, type Attachment, type Attachments } from "./useAttachments.ts";

function AttachmentState({ attachment, onRetry }: { attachment: Attachment; onRetry: () => void }) {
  const { t } = useTranslation();
  const { file, id, message, progress } = attachment;
  if (message) {
    return (
      <span className="flex flex-wrap items-center gap-2 font-medium text-urgent">
        {message}
        {file && (
          <Button variant="plain" size="small" onClick={onRetry}>
            {t("publish.documents.again")}
          </Button>
        )}
      </span>
    );
  }
  if (progress !== null) {
    const part = Math.round(progress * 100);
    return (
      <span className="flex items-center gap-2">
        <progress max={100} value={part} className="amount w-24" aria-label={attachment.name} />
        {t("publish.documents.sending", { part })}
      </span>
    );
  }
  return <>{t(id ? "publish.documents.attached" : "publish.documents.waiting")}</>;
}

export function DocumentsField({ attachments }: { attachments: Attachments }) {
  const { t } = useTranslation();
  const id = useId();
  const [isDragOver, setIsDragOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsDragOver(false);
    attachments.add(event.dataTransfer.files);
  };
  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file input serves keyboard users */}
      <div
        className={`flex flex-wrap items-center gap-3 rounded-lg border border-dashed p-4 ${isDragOver ? "border-accent bg-accent-wash" : "border-edge"}`}
        onDragOver={(event) => {
          event.preventDefault();
          setIsDragOver(true);
        }}
        onDragLeave={() => setIsDragOver(false)}
        onDrop={drop}
      >
        <label
          htmlFor={id}
          className="inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-lg border border-edge bg-sheet px-4 text-[0.9375rem] font-semibold hover:border-accent hover:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <Paperclip size={17} aria-hidden />
          {t("publish.documents.choose")}
          <input
            id={id}
            type="file"
            multiple
            accept={ACCEPTED_TYPES}
            aria-describedby={`${id}-help`}
            className="sr-only"
            onChange={(event) => {
              attachments.add(event.target.files ?? []);
              event.target.value = "";
            }}
          />
        </label>
        <span aria-hidden className="text-[0.9375rem] text-ink-soft max-sm:hidden">
          {t("publish.documents.drop")}
        </span>
      </div>
      <p id={`${id}-help`} className="mt-1.5 text-sm text-ink-soft">
        {t("publish.documents.help")}
      </p>
      {attachments.list.length > 0 && (
        <ul className="mt-3 grid gap-1.5" aria-label={t("publish.documents.list")} aria-live="polite">
          {attachments.list.map((one) => (
            <li key={one.key} className="flex items-center gap-3 rounded-lg bg-well pl-3 text-[0.9375rem]">
              <FileText size={16} aria-hidden className="shrink-0 text-ink-soft" />
              <div className="min-w-0 flex-1 py-1.5">
                <p className="break-words">
                  {one.name}{" "}
                  <span className="text-sm text-ink-soft">
                    {t("tenders.details.kilobytes", { size: formatKilobytes(one.size) })}
                  </span>
                </p>
                <div className="text-sm text-ink-soft">
                  <AttachmentState attachment={one} onRetry={() => attachments.retry(one)} />
                </div>
              </div>
              <button
                type="button"
                aria-label={t("publish.documents.remove", { name: one.name })}
                disabled={one.progress !== null}
                onClick={() => attachments.remove(one)}
                className="grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:text-urgent disabled:opacity-40"
              >
                <X size={16} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
