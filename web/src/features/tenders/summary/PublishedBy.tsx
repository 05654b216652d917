// Labels a tender that an organisation or company entered itself, without a newspaper.

import { Building2 } from "lucide-react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";

export function PublishedBy({ tender, as: Element = "p" }: { tender: Tender; as?: "li" | "p" }) {
  const { t } = useTranslation();
  if (tender.publishedBy !== "organisation") return null;
  const name = tender.organization?.name || t("tenders.details.organization");
  return (
    <Element
      title={t("tenders.card.byOrganisationHint", { name })}
      className="flex items-center gap-1.5 font-medium text-ink-soft"
    >
      <Building2 size={15} aria-hidden className="shrink-0" />
      <span className="min-w-0 break-words">{t("shell.tender.byOrganisation")}</span>
    </Element>
  );
}
