// How often, to whom and by what an alert sends, in its form.

import { useQuery } from "@tanstack/react-query";
import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { notificationChannels } from "@/shared/notificationChannels.ts";
import { useAccount } from "@/shared/session/account.ts";
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { Checkbox, SelectField, TextField } from "@/ui/Field.tsx";
import { type AlertForm, FREQUENCIES } from "./form.ts";
import { FormGroup, Section, TwoColumns, useErrorText } from "./formParts.tsx";

/** To whom and by what the alert sends, in one line. */
function useRecipients(): string {
  const { t } = useTranslation();
  const { user } = useAccount();
  const { control } = useFormContext<AlertForm>();
  const [enabled, customEmail, channels] = useWatch({
    control,
    name: ["enabled", "customEmail", "channels"],
  });
  const mail = enabled ? customEmail.trim() || user?.email : t("alerts.card.silent");
  return [mail, ...channels.map((channel) => t(`alerts.channel.${channel}`))].filter(Boolean).join(", ");
}

export function MailSettings() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { register, control, formState } = useFormContext<AlertForm>();
  const frequency = useWatch({ control, name: "frequency" });
  const { customEmail, channels } = formState.errors;
  return (
    <Section title={t("alerts.form.mails")}>
      <TwoColumns>
        <SelectField label={t("alerts.form.frequency")} {...register("frequency")}>
          {FREQUENCIES.map((one) => (
            <option key={one} value={one}>
              {t(`alerts.frequency.${one}`)}
            </option>
          ))}
        </SelectField>
        {frequency === "daily" && (
          <TextField
            label={t("alerts.form.time")}
            type="time"
            error={errorText(formState.errors.dailySummaryTime?.message)}
            {...register("dailySummaryTime")}
          />
        )}
      </TwoColumns>
      <FormGroup
        title={t("alerts.form.recipient")}
        summary={useRecipients()}
        hasError={customEmail !== undefined || channels !== undefined}
      >
        <Checkbox
          label={t("alerts.form.enabled")}
          help={t("alerts.form.enabledHelp")}
          {...register("enabled")}
        />
        <TextField
          label={t("alerts.form.customEmail")}
          optional={t("account.optional")}
          help={t("alerts.form.customEmailHelp")}
          type="email"
          inputMode="email"
          autoComplete="email"
          error={errorText(customEmail?.message)}
          {...register("customEmail")}
        />
        <Channels />
      </FormGroup>
    </Section>
  );
}

/** The channels besides e-mail, for plans that include them. */
function Channels() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { control } = useFormContext<AlertForm>();
  const { user } = useAccount();
  const isIncluded = user?.subscription.features.directAlerts === true;
  const { data: channels } = useQuery({ ...notificationChannels, enabled: isIncluded });
  if (!isIncluded || !channels) return null;
  return (
    <Controller
      control={control}
      name="channels"
      render={({ field: { value, onChange }, fieldState }) => (
        <CheckGroup
          label={t("alerts.form.channels")}
          help={t("alerts.form.channelsHelp")}
          error={errorText(fieldState.error?.message)}
          values={channels.offered}
          name={(channel) => t(`alerts.channel.${channel}`)}
          chosen={value}
          onChange={onChange}
        />
      )}
    />
  );
}
