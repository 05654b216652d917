// The sections of the tender form.

import type { ReactNode } from "react";
import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import {
  CATEGORIES,
  CURRENCIES,
  districtsOf,
  ORGANIZATION_TYPES,
  PRIORITIES,
  PROVINCES,
  VISIBILITIES,
} from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { SelectField, TextArea, TextField } from "@/ui/Field.tsx";
import { ListField } from "@/ui/ListField.tsx";
import { DocumentsField } from "./DocumentsField.tsx";
import { type FieldName, type PublishForm, REQUIRED_FIELDS } from "./form.ts";
import type { Attachments } from "./useAttachments.ts";

type ListName = "criteria" | "documentRequired" | "tags";

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="rounded-2xl border border-line bg-sheet px-5 py-6 sm:px-7">
      {/* Floating places the legend inside the frame instead of on its border. */}
      <legend className="float-left mb-5 w-full text-lg font-semibold">{title}</legend>
      <div className="clear-both grid gap-5">{children}</div>
    </fieldset>
  );
}

/** Two short fields side by side if there is room. */
function Pair({ children }: { children: ReactNode }) {
  return <div className="grid gap-5 sm:grid-cols-2">{children}</div>;
}

/** Returns a function that builds the common props of a form field from its name. */
function useFieldProps(messageId: string) {
  const { t } = useTranslation();
  const { register, formState } = useFormContext<PublishForm>();
  return (name: Exclude<FieldName, ListName>) => ({
    label: t(`publish.field.${name}`),
    optional: REQUIRED_FIELDS.some((needed) => needed === name) ? undefined : t("account.optional"),
    error: formState.errors[name]?.message,
    messageId,
    ...register(name),
  });
}

function Options<Value extends string>({
  values,
  name,
}: {
  values: readonly Value[];
  name?: (value: Value) => string;
}) {
  return values.map((value) => (
    <option key={value} value={value}>
      {name ? name(value) : value}
    </option>
  ));
}

function ListControl({ name, unique }: { name: ListName; unique?: boolean }) {
  const { t } = useTranslation();
  const { control } = useFormContext<PublishForm>();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState }) => (
        <ListField
          label={t(`publish.field.${name}`)}
          optional={t("account.optional")}
          help={t("publish.listHelp")}
          error={fieldState.error?.message}
          entries={field.value}
          onChange={field.onChange}
          add={t("publish.add")}
          remove={(entry) => t("publish.remove", { entry })}
          {...(unique && { unique })}
        />
      )}
    />
  );
}

function LocationSection({ messageId }: { messageId: string }) {
  const { t } = useTranslation();
  const { register, setValue, control } = useFormContext<PublishForm>();
  const field = useFieldProps(messageId);
  const [province, district] = useWatch({ control, name: ["province", "district"] });
  const districts = districtsOf(province);
  const provinceField = register("province", {
    onChange: (event: { target: { value: string } }) => {
      // Clear a district that is not in the chosen province.
      if (!districtsOf(event.target.value).some((known) => known === district)) setValue("district", "");
    },
  });
  return (
    <Section title={t("publish.section.location")}>
      <Pair>
        <SelectField {...field("province")} {...provinceField}>
          <option value="">{t("publish.choose")}</option>
          <Options values={PROVINCES} name={(value) => vocabularyName("province", value, t)} />
        </SelectField>
        <SelectField
          {...field("district")}
          help={province === "" ? t("publish.districtHelp") : undefined}
          disabled={province === ""}
        >
          <option value="">{t("publish.choose")}</option>
          <Options values={districts} name={(value) => vocabularyName("district", value, t)} />
        </SelectField>
      </Pair>
      <TextField {...field("city")} autoComplete="address-level2" />
    </Section>
  );
}

export function FormSections({ messageId, attachments }: { messageId: string; attachments: Attachments }) {
  const { t } = useTranslation();
  const field = useFieldProps(messageId);
  return (
    <>
      <Section title={t("publish.section.basic")}>
        <TextField {...field("title")} help={t("publish.titleHelp")} />
        <TextArea {...field("description")} />
        <TextField {...field("referenceNo")} />
        <Pair>
          <SelectField {...field("category")}>
            <option value="">{t("publish.choose")}</option>
            <Options values={CATEGORIES} name={(value) => vocabularyName("category", value, t)} />
          </SelectField>
          <TextField {...field("subcategory")} />
        </Pair>
      </Section>
      <Section title={t("publish.section.organization")}>
        <TextField {...field("organizationName")} autoComplete="organization" />
        <SelectField {...field("organizationType")}>
          <Options values={ORGANIZATION_TYPES} name={(value) => t(`publish.organizationType.${value}`)} />
        </SelectField>
        <TextField {...field("contactName")} autoComplete="name" />
        <Pair>
          <TextField {...field("contactEmail")} type="email" inputMode="email" autoComplete="email" />
          <TextField {...field("contactPhone")} type="tel" autoComplete="tel" />
        </Pair>
      </Section>
      <LocationSection messageId={messageId} />
      <Section title={t("publish.section.dates")}>
        <TextField {...field("published")} type="date" />
        <Pair>
          <TextField {...field("closingDay")} type="date" />
          <TextField {...field("closingHour")} type="time" help={t("publish.closingHourHelp")} />
        </Pair>
        <Pair>
          <TextField {...field("openingDay")} type="date" />
          <TextField {...field("openingHour")} type="time" />
        </Pair>
      </Section>
      <Section title={t("publish.section.financial")}>
        <Pair>
          <TextField {...field("estimatedValue")} inputMode="decimal" help={t("publish.millionsHelp")} />
          <SelectField {...field("currency")} optional={undefined}>
            <Options values={CURRENCIES} />
          </SelectField>
        </Pair>
        <Pair>
          <TextField {...field("bidBond")} inputMode="decimal" help={t("publish.percentHelp")} />
          <TextField {...field("performanceBond")} inputMode="decimal" help={t("publish.percentHelp")} />
        </Pair>
      </Section>
      <Section title={t("publish.section.eligibility")}>
        <ListControl name="criteria" />
        <ListControl name="documentRequired" />
        <Pair>
          <TextField {...field("experienceYears")} inputMode="numeric" />
          <TextField {...field("turnover")} inputMode="decimal" help={t("publish.turnoverHelp")} />
        </Pair>
        <TextArea {...field("experience")} rows={3} />
      </Section>
      <Section title={t("publish.section.additional")}>
        <ListControl name="tags" unique />
        <Pair>
          <SelectField {...field("priority")} optional={undefined}>
            <Options values={PRIORITIES} name={(value) => t(`publish.priority.${value}`)} />
          </SelectField>
          <SelectField {...field("visibility")} optional={undefined}>
            <Options values={VISIBILITIES} name={(value) => t(`publish.visibility.${value}`)} />
          </SelectField>
        </Pair>
        <TextField {...field("sourceUrl")} type="url" inputMode="url" />
      </Section>
      <Section title={t("publish.documents.label")}>
        <DocumentsField attachments={attachments} />
      </Section>
    </>
  );
}
