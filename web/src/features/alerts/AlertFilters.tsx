// The filters in the form of an alert: which tenders it matches besides its keywords.

import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { Controller, useFormContext, useWatch } from "react-hook-form";
import { parseEnum } from "@/api/enums.ts";
import { useTranslation } from "@/i18n/i18n.ts";
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
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { ListField } from "@/ui/ListField.tsx";
import { BodiesField } from "./BodiesField.tsx";
import { type AlertForm, STATUSES } from "./form.ts";
import { Section, TwoColumns, useErrorText } from "./formParts.tsx";

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

export function Filters() {
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

export function AdvancedFilters() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const { register, control, formState, getValues } = useFormContext<AlertForm>();
  // The bodies may be all that a prefilled alert has.
  const [isOpenedByUser, setOpen] = useState(getValues("bodies").length > 0);
  const { bodies, excludeKeywords, minDays, maxDays } = formState.errors;
  const open =
    isOpenedByUser || [bodies, excludeKeywords, minDays, maxDays].some((error) => error !== undefined);
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
          <Controller
            control={control}
            name="bodies"
            render={({ field: { value, onChange }, fieldState }) => (
              <BodiesField
                bodies={value}
                onChange={onChange}
                error={errorText(fieldState.error?.message ?? fieldState.error?.root?.message)}
              />
            )}
          />
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
