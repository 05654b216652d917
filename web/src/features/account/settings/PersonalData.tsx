// Exports the user's data and deletes the account.

import { useState } from "react";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { useDeleteAccount, useExportData } from "./api.ts";
import { ProofDialog } from "./ProofDialog.tsx";

function ExportData() {
  const { t } = useTranslation();
  const download = useExportData();
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-[0.9375rem]">{t("account.settings.exportText")}</p>
      <Button variant="outlined" disabled={download.isPending} onClick={() => download.mutate()}>
        {t(download.isPending ? "account.settings.exporting" : "account.settings.export")}
      </Button>
    </div>
  );
}

function DeleteAccount({ user }: { user: User }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const deletion = useDeleteAccount();
  return (
    <div className="grid justify-items-start gap-3 border-t border-line pt-5">
      <p className="text-[0.9375rem]">{t("account.settings.deleteText")}</p>
      <Button variant="danger" onClick={() => setOpen(true)}>
        {t("account.settings.delete")}
      </Button>
      {isOpen && (
        <ProofDialog
          user={user}
          isDestructive
          title={t("account.settings.deleteTitle")}
          action={t("account.settings.delete")}
          busyAction={t("account.settings.deleting")}
          failedText={t("account.settings.deleteFailed")}
          onProof={(proof) => deletion.mutateAsync(proof)}
          onClose={() => setOpen(false)}
        >
          <ul className="grid list-disc gap-2 pl-5 text-[0.9375rem] text-ink-soft">
            <li>{t("account.settings.deleteGone")}</li>
            {user.role !== "buyer" && <li>{t("account.settings.deleteTenders")}</li>}
            <li>{t("account.settings.deleteKept")}</li>
          </ul>
        </ProofDialog>
      )}
    </div>
  );
}

export function PersonalData({ user }: { user: User }) {
  const { t } = useTranslation();
  return (
    <SectionCard title={t("account.settings.data")}>
      <div className="grid gap-5">
        <ExportData />
        <DeleteAccount user={user} />
      </div>
    </SectionCard>
  );
}
