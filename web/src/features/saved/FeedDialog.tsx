// Explains the feed of a search, which feed readers open and browsers do not.

import { settings } from "@/api/settings.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button, buttonStyle } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";

export function FeedDialog({ query, onClose }: { query: string; onClose: () => void }) {
  const { t } = useTranslation();
  const path = `${settings.apiBase}/feeds/tenders${query && `?${query}`}`;
  const address = new URL(path, window.location.origin).href;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("tenders.saved.feedTitle")}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("tenders.document.close")}
          </Button>
          <a href={address} className={buttonStyle({})}>
            {t("tenders.saved.feedOpen")}
          </a>
        </>
      }
    >
      <p>{t("tenders.saved.feedText")}</p>
      <p className="mt-3 rounded-lg bg-well px-3 py-2 font-mono text-sm break-all text-ink">{address}</p>
    </Dialog>
  );
}
