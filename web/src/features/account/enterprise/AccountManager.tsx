// Two sections for Enterprise accounts: the personal account manager, and a link to the reports.

import { useQuery } from "@tanstack/react-query";
import { FileSpreadsheet, Mail, Phone } from "lucide-react";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { ButtonLink, buttonStyle } from "@/ui/Button.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { accountManager } from "./api.ts";

export function AccountManager() {
  const { t } = useTranslation();
  const manager = useQuery(accountManager).data;
  if (!manager) return null;
  const { name, email, phone } = manager;
  return (
    <SectionCard title={t("account.manager.title")}>
      <p className="text-lg font-semibold">{name}</p>
      <p className="mt-0.5 text-[0.9375rem] text-ink-soft">{t("account.manager.text")}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        {email && (
          <a
            href={`mailto:${email}`}
            className={`${buttonStyle({ variant: "outlined", size: "small" })} max-w-full`}
          >
            <Mail size={16} aria-hidden className="shrink-0" />
            <span className="truncate">{email}</span>
          </a>
        )}
        {phone && (
          <a
            href={`tel:${phone.replace(/[^+\d]/g, "")}`}
            className={buttonStyle({ variant: "outlined", size: "small" })}
          >
            <Phone size={16} aria-hidden />
            {phone}
          </a>
        )}
      </div>
    </SectionCard>
  );
}

export function ReportsLink() {
  const { t } = useTranslation();
  return (
    <SectionCard title={t("account.reports.title")}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-48 flex-1 text-[0.9375rem]">{t("account.reports.text")}</p>
        <ButtonLink to={paths.reports} variant="outlined" size="small">
          <FileSpreadsheet size={16} aria-hidden />
          {t("account.reports.open")}
        </ButtonLink>
      </div>
    </SectionCard>
  );
}
