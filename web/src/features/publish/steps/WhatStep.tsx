// The first step: what is bought, and by whom.

import { useFormContext } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { CATEGORIES, METHODS, ORGANIZATION_TYPES } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { SelectField, TextArea, TextField } from "@/ui/Field.tsx";
import { BLANK_LOT, type LotRow, type PublishForm } from "../form.ts";
import { useFieldError } from "../useFormProblems.ts";
import { UnitOptions } from "./BondField.tsx";
import { Options, Pair, PlainField, RowList, Section, useField } from "./fields.tsx";

/** The largest number of lots, as the server accepts it. */
const MAX_LOTS = 100;

export function WhatStep() {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t("publish.section.basic")}>
        <PlainField name="title" help={t("publish.titleHelp")} />
        <TextArea {...useField("description")} />
        <PlainField name="referenceNo" />
        <Pair>
          <SelectField {...useField("category")}>
            <option value="">{t("publish.choose")}</option>
            <Options values={CATEGORIES} name={(value) => vocabularyName("category", value, t)} />
          </SelectField>
          <PlainField name="subcategory" />
        </Pair>
        <MethodField />
      </Section>
      <Section title={t("publish.section.organization")}>
        <PlainField name="organizationName" autoComplete="organization" />
        <SelectField {...useField("organizationType")}>
          <Options values={ORGANIZATION_TYPES} name={(value) => t(`publish.organizationType.${value}`)} />
        </SelectField>
        <PlainField name="contactName" autoComplete="name" />
        <Pair>
          <PlainField name="contactEmail" type="email" inputMode="email" autoComplete="email" />
          <PlainField name="contactPhone" type="tel" autoComplete="tel" />
        </Pair>
      </Section>
      <Section title={t("publish.section.lots")} help={t("publish.lot.help")}>
        <RowList
          name="lots"
          max={MAX_LOTS}
          newRow={(last) => ({ ...BLANK_LOT, bidBondUnit: last?.bidBondUnit ?? BLANK_LOT.bidBondUnit })}
          addLabel={t("publish.lot.add")}
          rowLabel={(number) => t("publish.lot.row", { number })}
        >
          {(row) => <LotFields row={row} />}
        </RowList>
      </Section>
    </>
  );
}

/** The procurement method. A method that was read from a notice may be none of the choices. */
function MethodField() {
  const { t } = useTranslation();
  const { getValues } = useFormContext<PublishForm>();
  const printed = getValues("method");
  const isKnown = printed === "" || METHODS.some((known) => known === printed);
  return (
    <SelectField {...useField("method")}>
      <option value="">{t("publish.notStated")}</option>
      <Options values={METHODS} name={(value) => t(`publish.method.${value}`)} />
      {!isKnown && <option value={printed}>{printed}</option>}
    </SelectField>
  );
}

function LotFields({ row }: { row: number }) {
  const { t } = useTranslation();
  const field = useLotField(row);
  const optional = t("account.optional");
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,3fr)]">
        <TextField {...field("number")} optional={optional} autoComplete="off" />
        <TextField {...field("title")} autoComplete="off" />
      </div>
      <Pair>
        <TextField {...field("bidBond")} optional={optional} inputMode="decimal" autoComplete="off" />
        <SelectField {...field("bidBondUnit")}>
          <UnitOptions name={`lots.${row}.bidBondUnit`} />
        </SelectField>
      </Pair>
    </>
  );
}

/** Returns a function that builds the props of a field of a lot. */
function useLotField(row: number) {
  const { t } = useTranslation();
  const { register } = useFormContext<PublishForm>();
  const errors: Record<keyof LotRow, string | undefined> = {
    number: useFieldError(`lots.${row}.number`),
    title: useFieldError(`lots.${row}.title`),
    bidBond: useFieldError(`lots.${row}.bidBond`),
    bidBondUnit: useFieldError(`lots.${row}.bidBondUnit`),
  };
  return (name: keyof LotRow) => ({
    label: t(`publish.lot.${name}`),
    error: errors[name],
    ...register(`lots.${row}.${name}`),
  });
}
