// The menu that shares a tender by WhatsApp, by e-mail, as a copied link, or with the device's own menu.

import { Share2 } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { type Action, ActionMenu } from "@/ui/ActionMenu.tsx";
import { toast } from "@/ui/toasts.ts";
import { mailAddress, sharedTender, whatsAppAddress } from "./shareTargets.ts";

export function ShareMenu({ tender }: { tender: Tender }) {
  const { t } = useTranslation();
  const address = new URL(paths.tender(tender._id), window.location.origin).href;
  const shared = sharedTender(tender, address, t);
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => toast.success(t("tenders.share.copied")),
      () => toast.error(t("tenders.saved.copyFailed"), { description: address }),
    );
  const more = () =>
    // The device reports it as an error if the user turns back.
    navigator.share({ title: shared.title, text: shared.text, url: address }).catch(() => {});
  const hasMore = typeof navigator.share === "function";
  const actions: Action[] = [
    { label: t("tenders.share.whatsApp"), href: whatsAppAddress(shared) },
    { label: t("tenders.share.mail"), href: mailAddress(shared) },
    { label: t("tenders.share.copy"), onChoose: () => void copy() },
    ...(hasMore ? [{ label: t("tenders.share.more"), onChoose: () => void more() }] : []),
  ];
  return (
    <ActionMenu label={t("tenders.share.button")} actions={actions} opensAtOnce>
      <Share2 size={17} aria-hidden />
      {t("tenders.share.button")}
    </ActionMenu>
  );
}
