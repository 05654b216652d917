// The second step: who may bid, and what bidders must show.

import { useId } from "react";
import { useFormContext } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { GRADES, WORK_FIELDS } from "@/shared/tender/grades.ts";
import { SelectField, TextArea, TextField } from "@/ui/Field.tsx";
import { BLANK_GRADE, type GradeRow, type PublishForm } from "../form.ts";
import { useFieldError } from "../useFormProblems.ts";
import { ListControl, Pair, PlainField, RowList, Section, useField } from "./fields.tsx";

/** The largest number of grades, as the server accepts it. */
const MAX_GRADES = 30;

export function BiddersStep() {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t("publish.field.grades")} help={t("publish.grade.help")}>
        <RowList
          name="grades"
          max={MAX_GRADES}
          newRow={(last) => ({ ...BLANK_GRADE, field: last?.field ?? "" })}
          addLabel={t("publish.grade.add")}
          rowLabel={(number) => t("publish.grade.row", { number })}
        >
          {(row) => <GradeFields row={row} />}
        </RowList>
      </Section>
      <Section title={t("publish.section.eligibility")}>
        <ListControl name="criteria" />
        <ListControl name="documentRequired" />
        <Pair>
          <PlainField name="experienceYears" inputMode="numeric" />
          <PlainField name="turnover" inputMode="decimal" help={t("publish.turnoverHelp")} />
        </Pair>
        <TextArea {...useField("experience")} rows={3} />
      </Section>
    </>
  );
}

function GradeFields({ row }: { row: number }) {
  const { t } = useTranslation();
  const fieldsId = useId();
  const { register, getValues } = useFormContext<PublishForm>();
  const errors: Record<keyof GradeRow, string | undefined> = {
    grade: useFieldError(`grades.${row}.grade`),
    field: useFieldError(`grades.${row}.field`),
    alsoAdmits: useFieldError(`grades.${row}.alsoAdmits`),
  };
  const field = (name: keyof GradeRow) => ({
    label: t(`publish.grade.${name}`),
    error: errors[name],
    ...register(`grades.${row}.${name}`),
  });
  // A grade that was read from a notice may be none of the choices.
  const printed = getValues(`grades.${row}.grade`);
  const isKnown = printed === "" || GRADES.includes(printed);
  return (
    <>
      <Pair>
        <SelectField {...field("grade")}>
          <option value="">{t("publish.choose")}</option>
          {GRADES.map((grade) => (
            <option key={grade}>{grade}</option>
          ))}
          {!isKnown && <option>{printed}</option>}
        </SelectField>
        <SelectField {...field("alsoAdmits")}>
          <option value="">{t("publish.grade.only")}</option>
          <option value="higher">{t("publish.grade.higher")}</option>
          <option value="lower">{t("publish.grade.lower")}</option>
        </SelectField>
      </Pair>
      <TextField {...field("field")} optional={t("account.optional")} list={fieldsId} autoComplete="off" />
      <datalist id={fieldsId}>
        {WORK_FIELDS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
