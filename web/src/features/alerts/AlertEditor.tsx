// The form of a new or existing alert, with a preview of its matches.

import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Plus, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Controller, FormProvider, useFieldArray, useForm, useFormContext, useWatch } from "react-hook-form";
import { parseEnum } from "@/api/enums.ts";
import { ApiError } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel } from "@/i18n/translate.ts";
import { notificationChannels } from "@/shared/notificationChannels.ts";
import { useAccount } from "@/shared/session/account.ts";
import {
  ALL_DISTRICTS,
  CURRENCIES,
  districtsOf,
  ORGANIZATION_TYPES,
  PRIORITIES,
  PROVINCES,
  SECTORS,
  TOPICS,
  type Topic,
} from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Button } from "@/ui/Button.tsx";
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { Checkbox, SelectField, TextArea, TextField } from "@/ui/Field.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { ListField } from "@/ui/ListField.tsx";
import { ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { alertById, useSaveAlert } from "./api.ts";
import {
  type AlertForm,
  alertSchema,
  FREQUENCIES,
  MATCH_TYPES,
  MAX_KEYWORDS,
  newAlert,
  STATUSES,
  toBody,
  toForm,
} from "./form.ts";
import type { OfferedKeyword } from "./KeywordTranslations.tsx";
import { MatchPreview } from "./MatchPreview.tsx";

/**
 * Returns a function that translates an error of the form. An error of the server already is a text
 * and stays as it is.
 */
function useErrorText() {
  const { t } = useTranslation();
  return (message: string | undefined) =>
    message === undefined ? undefined : enumLabel(t, "alerts.need", message);
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="border-t border-line pt-5">
      <legend className="float-left mb-4 w-full font-semibold">{title}</legend>
      <div className="clear-both grid gap-5">{children}</div>
    </fieldset>
  );
}

function TwoColumns({ children }: { children: ReactNode }) {
  return <div className="grid gap-5 sm:grid-cols-2">{children}</div>;
}

function Keywords() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { register, control, formState } = useFormContext<AlertForm>();
  const { fields, append, remove } = useFieldArray({ control, name: "keywords" });
  const errors = formState.errors.keywords;
  return (
    <Section title={t("alerts.form.keywords")}>
      <p className="text-sm text-ink-soft">{t("alerts.form.keywordsHelp")}</p>
      {fields.map((field, nth) => (
        <div key={field.id} className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_2.75rem]">
          <TextField
            label={t("alerts.form.term", { nth: nth + 1 })}
            error={errorText(errors?.[nth]?.term?.message)}
            {...register(`keywords.${nth}.term`)}
          />
          <SelectField
            label={t("alerts.form.matchType", { nth: nth + 1 })}
            {...register(`keywords.${nth}.matchType`)}
          >
            {MATCH_TYPES.map((type) => (
              <option key={type} value={type}>
                {t(`alerts.matchType.${type}`)}
              </option>
            ))}
          </SelectField>
          {fields.length > 1 && (
            <button
              type="button"
              aria-label={t("alerts.form.removeKeyword", { nth: nth + 1 })}
              onClick={() => remove(nth)}
              className="grid size-11 place-items-center rounded-lg text-ink-soft hover:text-urgent sm:mt-7"
            >
              <X size={18} aria-hidden />
            </button>
          )}
        </div>
      ))}
      {fields.length < MAX_KEYWORDS && (
        <div>
          <Button variant="outlined" size="small" onClick={() => append({ term: "", matchType: "contains" })}>
            <Plus size={16} aria-hidden />
            {t("alerts.form.addKeyword")}
          </Button>
        </div>
      )}
    </Section>
  );
}

function MailSettings() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { register, control, formState } = useFormContext<AlertForm>();
  const frequency = useWatch({ control, name: "frequency" });
  return (
    <Section title={t("alerts.form.mails")}>
      <Checkbox
        label={t("alerts.form.enabled")}
        help={t("alerts.form.enabledHelp")}
        {...register("enabled")}
      />
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
      <TextField
        label={t("alerts.form.customEmail")}
        optional={t("account.optional")}
        help={t("alerts.form.customEmailHelp")}
        type="email"
        inputMode="email"
        autoComplete="email"
        error={errorText(formState.errors.customEmail?.message)}
        {...register("customEmail")}
      />
      <Channels />
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

type ChoiceField = "categories" | "organizationTypes" | "provinces" | "districts" | "statuses" | "priorities";
type ListFieldName = "cities" | "excludeKeywords";

function ChoiceGroup<Name extends ChoiceField>({
  field,
  values,
  name,
  help,
}: {
  field: Name;
  values: readonly AlertForm[Name][number][];
  name: (value: AlertForm[Name][number]) => string;
  help?: string;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { control } = useFormContext<AlertForm>();
  return (
    <Controller
      control={control}
      name={field}
      render={({ field: { value, onChange }, fieldState }) => (
        <CheckGroup
          label={t(`alerts.form.${field}`)}
          {...(help && { help })}
          error={errorText(fieldState.error?.message)}
          values={values}
          name={name}
          chosen={value as AlertForm[Name][number][]}
          onChange={onChange}
        />
      )}
    />
  );
}

function TextList({ field }: { field: ListFieldName }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { control } = useFormContext<AlertForm>();
  return (
    <Controller
      control={control}
      name={field}
      render={({ field: { value, onChange }, fieldState }) => (
        <ListField
          label={t(`alerts.form.${field}`)}
          optional={t("account.optional")}
          error={errorText(fieldState.error?.message ?? fieldState.error?.root?.message)}
          entries={value}
          onChange={onChange}
          add={t("publish.add")}
          remove={(entry) => t("publish.remove", { entry })}
          unique
        />
      )}
    />
  );
}

function Filters() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { register, control, formState } = useFormContext<AlertForm>();
  const provinces = useWatch({ control, name: "provinces" });
  const offeredDistricts = provinces.length > 0 ? provinces.flatMap(districtsOf) : ALL_DISTRICTS;
  const topicLabel = (topic: Topic) => {
    const sector = parseEnum(SECTORS, topic);
    return sector
      ? t("alerts.form.sector", { sector: t(`tenders.sector.${sector}`) })
      : vocabularyName("category", topic, t);
  };
  return (
    <Section title={t("alerts.form.filters")}>
      <ChoiceGroup field="categories" values={TOPICS} name={topicLabel} help={t("alerts.form.anyHelp")} />
      <ChoiceGroup
        field="organizationTypes"
        values={ORGANIZATION_TYPES}
        name={(value) => t(`tenders.organizationType.${value}`)}
      />
      <ChoiceGroup
        field="provinces"
        values={PROVINCES}
        name={(value) => vocabularyName("province", value, t)}
      />
      <ChoiceGroup
        field="districts"
        values={offeredDistricts}
        name={(value) => vocabularyName("district", value, t)}
      />
      <TextList field="cities" />
      <div className="grid items-end gap-5 sm:grid-cols-3">
        <TextField
          label={t("alerts.form.minValue")}
          optional={t("account.optional")}
          inputMode="decimal"
          error={errorText(formState.errors.minValue?.message)}
          {...register("minValue")}
        />
        <TextField
          label={t("alerts.form.maxValue")}
          optional={t("account.optional")}
          inputMode="decimal"
          error={errorText(formState.errors.maxValue?.message)}
          {...register("maxValue")}
        />
        <SelectField label={t("alerts.form.currency")} {...register("currency")}>
          {CURRENCIES.map((currency) => (
            <option key={currency}>{currency}</option>
          ))}
        </SelectField>
      </div>
    </Section>
  );
}

function AdvancedFilters() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const { register, formState } = useFormContext<AlertForm>();
  const [isOpenedByUser, setOpen] = useState(false);
  const { excludeKeywords, minDays, maxDays } = formState.errors;
  const open =
    isOpenedByUser || excludeKeywords !== undefined || minDays !== undefined || maxDays !== undefined;
  return (
    <div className="border-t border-line pt-3">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 w-full items-center justify-between font-semibold"
      >
        {t("alerts.form.advanced")}
        <ChevronDown size={18} aria-hidden className={`transition-transform ${open ? "rotate-180" : ""}`} />
      </button>
      <div id={id} hidden={!open} className="mt-3">
        <div className="grid gap-5">
          <TextList field="excludeKeywords" />
          <TwoColumns>
            <TextField
              label={t("alerts.form.minDays")}
              optional={t("account.optional")}
              inputMode="numeric"
              error={errorText(minDays?.message)}
              {...register("minDays")}
            />
            <TextField
              label={t("alerts.form.maxDays")}
              optional={t("account.optional")}
              inputMode="numeric"
              error={errorText(maxDays?.message)}
              {...register("maxDays")}
            />
          </TwoColumns>
          <ChoiceGroup field="statuses" values={STATUSES} name={(value) => t(`tenders.status.${value}`)} />
          <ChoiceGroup
            field="priorities"
            values={PRIORITIES}
            name={(value) => t(`tenders.priority.${value}`)}
          />
        </div>
      </div>
    </div>
  );
}

/** Maps field paths in the server's errors to form fields, where the names differ. */
const FORM_FIELD_BY_PATH: Record<string, keyof AlertForm> = {
  "estimatedValue.min": "minValue",
  "estimatedValue.max": "maxValue",
  "emailSettings.customEmail": "customEmail",
  "emailSettings.dailySummaryTime": "dailySummaryTime",
  "advancedFilters.minDaysUntilClosing": "minDays",
  "advancedFilters.maxDaysUntilClosing": "maxDays",
  "advancedFilters.excludeKeywords": "excludeKeywords",
  "locations.cities": "cities",
};

interface EditorProps {
  id: string | null;
  initial: AlertForm;
  /** The first name of the team member who created the alert; unset for the user's own alerts. */
  madeBy?: string | null;
  onClose: () => void;
}

function Editor({ id, initial, madeBy, onClose }: EditorProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const messageId = useId();
  const form = useForm<AlertForm>({ resolver: zodResolver(alertSchema), defaultValues: initial });
  const { register, handleSubmit, formState, setError, control } = form;
  const input = useWatch({ control }) as AlertForm;
  // The idempotency key. It is sent with every attempt, so that repeated requests create one alert.
  const [submission] = useState(() => crypto.randomUUID());
  const save = useSaveAlert(id, submission);
  const add = (offered: OfferedKeyword[]) => {
    const existing = form.getValues("keywords");
    const keywords = offered.map(({ term, matchType }) => ({
      term: term ?? "",
      matchType: matchType ?? "contains",
    }));
    form.setValue("keywords", [...existing, ...keywords], { shouldDirty: true });
  };
  const submit = handleSubmit((values) =>
    save.mutate(toBody(values), {
      onSuccess: onClose,
      onError: (error) => {
        if (!(error instanceof ApiError)) return;
        for (const { field, message } of error.errors) {
          const name = FORM_FIELD_BY_PATH[field] ?? field.replace(/\[(\d+)\]/g, ".$1");
          setError(name as keyof AlertForm, { type: "server", message });
        }
      },
    }),
  );
  const keywords = formState.errors.keywords;
  const message = errorText(keywords?.root?.message ?? keywords?.message);
  const title = t(id === null ? "alerts.form.createTitle" : "alerts.form.editTitle");
  const idle = id === null ? "alerts.form.create" : "alerts.form.update";
  const busy = id === null ? "alerts.form.creating" : "alerts.form.updating";
  return (
    <section aria-label={title} className="rounded-2xl border border-line bg-sheet p-5 sm:p-6">
      <h2 className="text-lg font-semibold">{title}</h2>
      {madeBy && (
        <p className="text-[0.9375rem] text-ink-soft">{t("alerts.form.madeBy", { name: madeBy })}</p>
      )}
      <div className="mt-4 grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <FormProvider {...form}>
          <form noValidate className="grid gap-5" onSubmit={submit}>
            <TextField
              label={t("alerts.form.name")}
              error={errorText(formState.errors.name?.message)}
              {...register("name")}
            />
            <TextArea
              label={t("alerts.form.description")}
              optional={t("account.optional")}
              rows={2}
              error={errorText(formState.errors.description?.message)}
              {...register("description")}
            />
            <Keywords />
            <div className="lg:hidden">
              <MatchPreview form={input} onAdd={add} />
            </div>
            <MailSettings />
            <Filters />
            <AdvancedFilters />
            <FormMessage id={messageId}>{message ?? null}</FormMessage>
            <div className="flex flex-wrap justify-end gap-3 border-t border-line pt-4">
              <Button variant="outlined" onClick={onClose}>
                {t("alerts.form.cancel")}
              </Button>
              <Button type="submit" disabled={save.isPending}>
                {t(save.isPending ? busy : idle)}
              </Button>
            </div>
          </form>
        </FormProvider>
        <div className="max-lg:hidden lg:sticky lg:top-20 lg:self-start">
          <MatchPreview form={input} onAdd={add} />
        </div>
      </div>
    </section>
  );
}

/** With an `id`, the editor loads that alert. Without one, `initial` prefills a new alert. */
export function AlertEditor({
  id,
  initial,
  onClose,
}: {
  id: string | null;
  initial: AlertForm | null;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ ...alertById(id ?? ""), enabled: id !== null });
  if (id === null) return <Editor id={null} initial={initial ?? newAlert} onClose={onClose} />;
  if (error) {
    return (
      <ErrorBanner
        title={t("alerts.error")}
        action={
          <Button variant="outlined" size="small" onClick={() => void refetch()}>
            {t("shell.tryAgain")}
          </Button>
        }
      />
    );
  }
  if (!data) return <LoadingScreen label={t("alerts.form.loading")} />;
  return <Editor id={id} initial={toForm(data)} madeBy={data.madeBy} onClose={onClose} />;
}
