// The language of all mails, and which mails the user wants besides alerts.

import { Link } from "react-router";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isLanguage, LANGUAGES, languageNames } from "@/i18n/languages.ts";
import { paths } from "@/shared/paths.ts";
import { canSaveTenders, hasAlerts } from "@/shared/session/planAccess.ts";
import { SelectField } from "@/ui/Field.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { Switch } from "@/ui/Switch.tsx";
import { useSaveMailPreferences } from "./api.ts";

function PreferenceSwitch(props: {
  label: string;
  text: string;
  checked: boolean;
  disabled: boolean;
  onChange: (on: boolean) => void;
}) {
  const { label, text, checked, disabled, onChange } = props;
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0 flex-1 pt-2">
        <p className="text-[0.9375rem] font-semibold">{label}</p>
        <p className="text-sm text-ink-soft">{text}</p>
      </div>
      <Switch label={label} checked={checked} disabled={disabled} onChange={onChange} />
    </div>
  );
}

export function MailPreferences({ user }: { user: User }) {
  const { t } = useTranslation();
  const save = useSaveMailPreferences();
  const { features } = user.subscription;
  return (
    <SectionCard title={t("account.settings.mails.title")}>
      <div className="grid gap-5">
        <div className="max-w-64">
          <SelectField
            label={t("account.settings.mails.language")}
            help={t("account.settings.mails.languageHelp")}
            value={user.language}
            disabled={save.isPending}
            onChange={({ target }) => isLanguage(target.value) && save.mutate({ language: target.value })}
          >
            {LANGUAGES.map((language) => (
              <option key={language} value={language} lang={language}>
                {languageNames[language]}
              </option>
            ))}
          </SelectField>
        </div>
        {canSaveTenders(user) && (
          <PreferenceSwitch
            label={t("account.settings.mails.saved")}
            text={t("account.settings.mails.savedText")}
            checked={user.savedMails}
            disabled={save.isPending}
            onChange={(savedMails) => save.mutate({ savedMails })}
          />
        )}
        {features.weeklySummary && (
          <PreferenceSwitch
            label={t("account.settings.mails.summary")}
            text={t("account.settings.mails.summaryText")}
            checked={user.weeklySummary}
            disabled={save.isPending}
            onChange={(weeklySummary) => save.mutate({ weeklySummary })}
          />
        )}
        {hasAlerts(user) && (
          <PreferenceSwitch
            label={t("account.settings.mails.silence")}
            text={t("account.settings.mails.silenceText")}
            checked={user.silenceMails}
            disabled={save.isPending}
            onChange={(silenceMails) => save.mutate({ silenceMails })}
          />
        )}
        {hasAlerts(user) && (
          <p className="text-[0.9375rem] text-ink-soft">
            {t("account.settings.mails.alerts")}{" "}
            <Link to={paths.alerts} className="font-semibold text-accent hover:underline">
              {t("account.settings.mails.alertsLink")}
            </Link>
          </p>
        )}
        <p className="text-[0.9375rem] text-ink-soft">
          {t("account.settings.mails.bids")}{" "}
          <Link to={paths.bids} className="font-semibold text-accent hover:underline">
            {t("account.settings.mails.bidsLink")}
          </Link>
        </p>
      </div>
    </SectionCard>
  );
}
