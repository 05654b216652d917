// The menu of a tender for administrators: takes the tender down or puts it back, and opens its
// delivery trace and its entries in the audit log.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { ReasonDialog } from "@/shared/dialogs/ReasonDialog.tsx";
import { paths } from "@/shared/paths.ts";
import { type Action, ActionMenu } from "@/ui/ActionMenu.tsx";
import { Button } from "@/ui/Button.tsx";
import { toast } from "@/ui/toasts.ts";

/** Takes a tender down for a reason, or puts it back without one. */
function useTakedown(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string | null) => {
      const params = { path: { id } };
      return reason === null
        ? call(api.DELETE("/operate/tenders/{id}/takedown", { params }))
        : call(api.PUT("/operate/tenders/{id}/takedown", { params, body: { reason } }));
    },
    onSuccess: (_, reason) => {
      toast.success(t(reason === null ? "operate.tender.restored" : "operate.tender.takenDown"));
      return Promise.all(["tenders", "operate"].map((key) => client.invalidateQueries({ queryKey: [key] })));
    },
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}

function TakedownDialog({ tender, onClose }: { tender: Tender; onClose: () => void }) {
  const { t } = useTranslation();
  const takedown = useTakedown(tender._id);
  return (
    <ReasonDialog
      title={t("operate.tender.takeDownTitle")}
      reasonHelp={t("operate.tender.reasonHelp")}
      confirm={t("operate.tender.takeDownConfirm")}
      isDestructive
      isPending={takedown.isPending}
      onReason={(reason) => takedown.mutate(reason, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t("operate.tender.takeDownHelp")}</p>
    </ReasonDialog>
  );
}

function RestoreDialog({ tender, onClose }: { tender: Tender; onClose: () => void }) {
  const { t } = useTranslation();
  const takedown = useTakedown(tender._id);
  return (
    <ConfirmDialog
      title={t("operate.tender.restoreTitle")}
      onClose={onClose}
      confirm={
        <Button disabled={takedown.isPending} onClick={() => takedown.mutate(null, { onSuccess: onClose })}>
          {t("operate.tender.restoreConfirm")}
        </Button>
      }
    >
      <p>{t("operate.tender.restoreHelp")}</p>
    </ConfirmDialog>
  );
}

export function AdministratorMenu({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"takeDown" | "restore" | null>(null);
  const close = () => setDialog(null);
  const actions: Action[] = [
    { label: t("operate.tender.trace"), onChoose: () => void navigate("#trace") },
    {
      label: t("operate.users.history"),
      onChoose: () => void navigate(`${paths.operateAudit}?subject=${tender._id}`),
    },
  ];
  if (tender.moderation?.heldAt) {
    actions.push({
      label: t("operate.tender.check"),
      onChoose: () => void navigate(paths.operatePublications),
    });
  }
  if (tender.moderation?.takedown) {
    actions.push({ label: t("operate.tender.restore"), onChoose: () => setDialog("restore") });
  } else if (tender.status !== "draft" && tender.status !== "withdrawn") {
    actions.push({
      label: t("operate.tender.takeDown"),
      isDestructive: true,
      onChoose: () => setDialog("takeDown"),
    });
  }
  return (
    <div lang="en" className="print:hidden">
      <ActionMenu label={t("operate.tender.actions")} actions={actions} />
      {dialog === "takeDown" && <TakedownDialog tender={tender} onClose={close} />}
      {dialog === "restore" && <RestoreDialog tender={tender} onClose={close} />}
    </div>
  );
}
