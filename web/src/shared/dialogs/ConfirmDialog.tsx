// A dialog that asks a person of the desk before something changes.

import type { ReactNode } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";

export function ConfirmDialog({
  title,
  confirm,
  onClose,
  children,
}: {
  title: string;
  /** The button that makes the change. Another button closes the dialog. */
  confirm: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("operate.users.cancel")}
          </Button>
          {confirm}
        </>
      }
    >
      {children}
    </Dialog>
  );
}
