// Asks why a notice is rejected. One key is enough for the usual reasons.

import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextField } from "@/ui/Field.tsx";

const REASONS = ["noNotice", "advertisement", "incomplete", "illegible", "duplicate"] as const;
/** The reasons why the text is no tender notice at all. They tell how accurate the readers are. */
const NO_NOTICE: readonly string[] = ["noNotice", "advertisement"];

export function RejectDialog({
  onReject,
  onClose,
}: {
  onReject: (reason: string, isNoNotice: boolean) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const formId = useId();
  const [text, setText] = useState("");
  const reasons = REASONS.map((reason) => ({
    text: t(`operate.review.rejectReason.${reason}`),
    isNoNotice: NO_NOTICE.includes(reason),
  }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) onReject(text.trim(), false);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("operate.review.rejectTitle")}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("operate.review.cancel")}
          </Button>
          <Button type="submit" form={formId} disabled={!text.trim()}>
            {t("operate.review.reject")}
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts of the buttons */}
      <div
        onKeyDown={(event) => {
          const reason = text === "" ? reasons[Number(event.key) - 1] : undefined;
          if (!reason || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          onReject(reason.text, reason.isNoNotice);
        }}
      >
        <ol className="grid gap-1.5">
          {reasons.map((reason, position) => (
            <li key={reason.text}>
              <button
                type="button"
                onClick={() => onReject(reason.text, reason.isNoNotice)}
                className="flex min-h-11 w-full items-center gap-3 rounded-lg border border-line px-3 text-left text-ink hover:border-accent"
              >
                <kbd className="rounded bg-well px-1.5 font-sans text-xs text-ink-soft">{position + 1}</kbd>
                {reason.text}
              </button>
            </li>
          ))}
        </ol>
        <form id={formId} onSubmit={submit} className="mt-3 text-ink">
          <TextField
            label={t("operate.review.otherReason")}
            value={text}
            maxLength={500}
            autoFocus
            onChange={(event) => setText(event.target.value)}
          />
        </form>
      </div>
    </Dialog>
  );
}
