// The dialog for an action that the user's plan does not include. It links to the plans.

import { useContext } from "react";
import { useLocation } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { paths } from "@/shared/paths.ts";
import { keepIntendedPath } from "@/shared/session/intendedPath.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";

export function PlanDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const now = useContext(ClockContext);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("tenders.saved.needsPlan")}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("plans.noPayments.close")}
          </Button>
          <ButtonLink to={paths.pricing} onClick={() => keepIntendedPath(pathname + search, now())}>
            {t("plans.view")}
          </ButtonLink>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}
