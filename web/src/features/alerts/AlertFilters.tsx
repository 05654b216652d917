// The filters in the form of an alert: which tenders it matches besides its keywords.

import { Controller, useFormContext } from "react-hook-form";
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
import { useSummaryRows } from "./AlertSummary.tsx";
import { BodiesField } from "./BodiesField.tsx";
import { type AlertForm, STATUSES } from "./form.ts";
import { FormGroup, Section, TwoColumns, useErrorText } from "./formParts.tsx";

type ChoiceField = "categories" | "organizationTypes" | "provinces" | "districts" | "statuses" | "priorities";
type ListFieldName = "cities" | "excludeKeywords";

function ChoiceGroup<Name extends ChoiceField>({
  field,
  values,
  name,
  help,
  framed = false,
}: {
  field: Name;
  values: readonly AlertForm[Name][number][];
  name: (value: AlertForm[Name][number]) => string;
  help?: string;
  /** Whether a `FormGroup` has the title of the choices. */
  framed?: boolean;
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
          framed={framed}
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

/** What is bought, and where: the filters that most alerts have. */
export function Filters({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const rows = useSummaryRows(form);
  const { formState } = useFormContext<AlertForm>();
  const chosen = (field: "categories" | "districts") =>
    rows.find(({ name }) => name === field)?.values.join(", ") ?? t("alerts.form.any");
  const { provinces } = form;
  const offeredDistricts = provinces.length > 0 ? provinces.flatMap(districtsOf) : ALL_DISTRICTS;
  const topicLabel = (topic: Topic) => {
    const sector = parseEnum(SECTORS, topic);
    return sector
      ? t("alerts.form.sector", { sector: t(`tenders.sector.${sector}`) })
      : vocabularyName("category", topic, t);
  };
  return (
    <Section title={t("alerts.form.filters")}>
      <div className="grid gap-2.5">
        <FormGroup
          title={t("alerts.form.categories")}
          summary={chosen("categories")}
          hasError={formState.errors.categories !== undefined}
        >
          <ChoiceGroup
            framed
            field="categories"
            values={TOPICS}
            name={topicLabel}
            help={t("alerts.form.anyHelp")}
          />
        </FormGroup>
        <FormGroup title={t("alerts.form.districts")} summary={chosen("districts")}>
          <ChoiceGroup
            framed
            field="districts"
            values={offeredDistricts}
            name={(value) => vocabularyName("district", value, t)}
            help={t("alerts.form.anyDistrictHelp")}
          />
        </FormGroup>
        <OtherPlaces form={form} />
        <OrganizationTypes form={form} />
        <EstimatedValue form={form} />
      </div>
    </Section>
  );
}

function OtherPlaces({ form: { provinces, cities } }: { form: AlertForm }) {
  const { t } = useTranslation();
  const { formState } = useFormContext<AlertForm>();
  const places = [...provinces.map((province) => vocabularyName("province", province, t)), ...cities];
  return (
    <FormGroup
      title={t("alerts.form.otherPlaces")}
      summary={places.join(", ") || t("alerts.form.any")}
      hasError={formState.errors.cities !== undefined}
    >
      <ChoiceGroup
        field="provinces"
        values={PROVINCES}
        name={(value) => vocabularyName("province", value, t)}
      />
      <TextList field="cities" />
    </FormGroup>
  );
}

function OrganizationTypes({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const name = (value: AlertForm["organizationTypes"][number]) => t(`tenders.organizationType.${value}`);
  return (
    <FormGroup
      title={t("alerts.form.organizationTypes")}
      summary={form.organizationTypes.map(name).join(", ") || t("alerts.form.any")}
    >
      <ChoiceGroup framed field="organizationTypes" values={ORGANIZATION_TYPES} name={name} />
    </FormGroup>
  );
}

function EstimatedValue({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { register, formState } = useFormContext<AlertForm>();
  const { minValue, maxValue } = formState.errors;
  const bounds = useSummaryRows(form).find(({ name }) => name === "value")?.values;
  return (
    <FormGroup
      title={t("alerts.offer.value")}
      summary={bounds ? `${bounds.join(", ")} (${form.currency})` : t("alerts.form.anyValue")}
      hasError={minValue !== undefined || maxValue !== undefined}
    >
      <div className="grid items-end gap-5 sm:grid-cols-3">
        <TextField
          label={t("alerts.form.minValue")}
          optional={t("account.optional")}
          inputMode="decimal"
          error={errorText(minValue?.message)}
          {...register("minValue")}
        />
        <TextField
          label={t("alerts.form.maxValue")}
          optional={t("account.optional")}
          inputMode="decimal"
          error={errorText(maxValue?.message)}
          {...register("maxValue")}
        />
        <SelectField label={t("alerts.form.currency")} {...register("currency")}>
          {CURRENCIES.map((currency) => (
            <option key={currency}>{currency}</option>
          ))}
        </SelectField>
      </div>
    </FormGroup>
  );
}

/** What the advanced filters are set to, in one line. */
function useAdvancedSummary({ bodies, excludeKeywords, minDays, maxDays, ...form }: AlertForm): string {
  const { t } = useTranslation();
  const set = [
    ["bodies", bodies],
    ["excludeKeywords", excludeKeywords],
    ["minDays", [minDays].filter(Boolean)],
    ["maxDays", [maxDays].filter(Boolean)],
    ["statuses", form.statuses.map((status) => t(`tenders.status.${status}`))],
    ["priorities", form.priorities.map((priority) => t(`tenders.priority.${priority}`))],
  ] as const;
  return set
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${t(`alerts.form.${name}`)}: ${values.join(", ")}`)
    .join(" · ");
}

export function AdvancedFilters({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { register, control, formState, getValues } = useFormContext<AlertForm>();
  const summary = useAdvancedSummary(form);
  const { bodies, excludeKeywords, minDays, maxDays } = formState.errors;
  return (
    <FormGroup
      title={t("alerts.form.advanced")}
      summary={summary || t("alerts.form.any")}
      // The bodies may be all that a prefilled alert has.
      isOpenAtFirst={getValues("bodies").length > 0}
      hasError={[bodies, excludeKeywords, minDays, maxDays].some((error) => error !== undefined)}
    >
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
      <ChoiceGroup field="priorities" values={PRIORITIES} name={(value) => t(`tenders.priority.${value}`)} />
    </FormGroup>
  );
}
