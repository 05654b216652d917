// A dialog that asks for the reason of a change.

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

export function ReasonDialog({
  title,
  reasonHelp,
  confirm,
  isDestructive = false,
  isPending,
  onReason,
  onClose,
  children,
}: {
  title: string;
  /** Who sees the reason. */
  reasonHelp: string;
  /** The label of the button that makes the change. */
  confirm: string;
  isDestructive?: boolean;
  isPending: boolean;
  /** Gets the reason, which is not empty. */
  onReason: (reason: string) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const formId = useId();
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const isMissing = reason.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isMissing) onReason(reason.trim());
  };
  return (
    <ConfirmDialog
      title={title}
      onClose={onClose}
      confirm={
        <Button
          variant={isDestructive ? "danger" : "filled"}
          type="submit"
          form={formId}
          disabled={isPending}
        >
          {confirm}
        </Button>
      }
    >
      {children}
      <form id={formId} noValidate onSubmit={submit} className="mt-4 text-ink">
        <TextField
          label={t("operate.users.reason")}
          help={reasonHelp}
          value={reason}
          maxLength={500}
          error={tried && isMissing ? t("operate.users.reasonMissing") : undefined}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </ConfirmDialog>
  );
}
