// The question before the user leaves a form with unsaved changes.

import type { Blocker } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";

export function LeaveDialog({
  blocker,
  children,
}: {
  blocker: Blocker;
  /** What becomes of the changes. */
  children: string;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={blocker.state === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t("publish.leave.title")}
      actions={
        <>
          <Button variant="outlined" onClick={() => blocker.proceed?.()}>
            {t("publish.leave.leave")}
          </Button>
          <Button onClick={() => blocker.reset?.()}>{t("publish.leave.stay")}</Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
