// What the portal mails besides alerts, and in which language.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { components } from "@/api/schema.gen.ts";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { isLanguage, LANGUAGES, languageNames } from "@/i18n/languages.ts";
import { paths } from "@/shared/paths.ts";
import { currentUser } from "@/shared/session/account.ts";
import { hasAlerts } from "@/shared/session/planAccess.ts";
import { SelectField } from "@/ui/Field.tsx";
import { Part } from "@/ui/SectionCard.tsx";
import { Switch } from "@/ui/Switch.tsx";
import { toast } from "@/ui/toasts.ts";

type Choices = Pick<components["schemas"]["ProfileForm"], "language" | "weeklySummary" | "savedMails">;

function useChooseMails() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Choices) => (await call(api.PUT("/auth/profile", { body }))).user,
    onSuccess: (user) => {
      client.setQueryData(currentUser.queryKey, user);
      toast.success(t("account.settings.mails.changed"), { id: "mails" });
    },
    onError: (error) =>
      toast.error(t("account.settings.mails.failed"), { id: "mails", description: messageOf(error, "") }),
  });
}

function Choice(props: {
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

export function Mails({ user }: { user: User }) {
  const { t } = useTranslation();
  const choose = useChooseMails();
  const { plan, features } = user.subscription;
  const keepsTenders = plan === "professional" || plan === "enterprise" || user.role === "admin";
  return (
    <Part title={t("account.settings.mails.title")}>
      <div className="grid gap-5">
        <div className="max-w-64">
          <SelectField
            label={t("account.settings.mails.language")}
            help={t("account.settings.mails.languageHelp")}
            value={user.language}
            disabled={choose.isPending}
            onChange={({ target }) => isLanguage(target.value) && choose.mutate({ language: target.value })}
          >
            {LANGUAGES.map((language) => (
              <option key={language} value={language} lang={language}>
                {languageNames[language]}
              </option>
            ))}
          </SelectField>
        </div>
        {keepsTenders && (
          <Choice
            label={t("account.settings.mails.saved")}
            text={t("account.settings.mails.savedText")}
            checked={user.savedMails}
            disabled={choose.isPending}
            onChange={(savedMails) => choose.mutate({ savedMails })}
          />
        )}
        {features.weeklySummary && (
          <Choice
            label={t("account.settings.mails.summary")}
            text={t("account.settings.mails.summaryText")}
            checked={user.weeklySummary}
            disabled={choose.isPending}
            onChange={(weeklySummary) => choose.mutate({ weeklySummary })}
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
      </div>
    </Part>
  );
}
