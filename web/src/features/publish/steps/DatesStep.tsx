// The fourth step: the place, the dates, the delivery of bids, and the pre-bid meeting.

import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { districtsOf, PROVINCES, SUBMISSION_METHODS } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { SelectField } from "@/ui/Field.tsx";
import type { PublishForm } from "../form.ts";
import { useFieldError } from "../useFormProblems.ts";
import { DayField, Options, Pair, PlainField, Section, useField } from "./fields.tsx";

export function DatesStep() {
  const { t } = useTranslation();
  return (
    <>
      <LocationSection />
      <Section title={t("publish.section.dates")} help={t("publish.timesHelp")}>
        <DayField name="published" />
        <Pair>
          <DayField name="closingDay" />
          <PlainField name="closingHour" type="time" help={t("publish.closingHourHelp")} />
        </Pair>
        <Pair>
          <DayField name="openingDay" />
          <PlainField name="openingHour" type="time" />
        </Pair>
      </Section>
      <SubmissionSection />
      <Section title={t("publish.section.preBid")}>
        <Pair>
          <DayField name="preBidDay" />
          <PlainField name="preBidHour" type="time" />
        </Pair>
        <PlainField name="preBidPlace" />
      </Section>
    </>
  );
}

/** How and where bids are delivered. */
function SubmissionSection() {
  const { t } = useTranslation();
  const { control } = useFormContext<PublishForm>();
  const error = useFieldError("submissionMethods");
  return (
    <Section title={t("publish.section.submission")} help={t("publish.submission.help")}>
      <Controller
        control={control}
        name="submissionMethods"
        render={({ field }) => (
          <CheckGroup
            label={t("publish.field.submissionMethods")}
            error={error}
            values={SUBMISSION_METHODS}
            name={(method) => t(`publish.submission.method.${method}`)}
            chosen={SUBMISSION_METHODS.filter((method) => field.value.includes(method))}
            onChange={field.onChange}
          />
        )}
      />
      <PlainField name="submissionPlace" help={t("publish.submission.placeHelp")} />
    </Section>
  );
}

function LocationSection() {
  const { t } = useTranslation();
  const { register, setValue, control } = useFormContext<PublishForm>();
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
        <SelectField {...useField("province")} {...provinceField}>
          <option value="">{t("publish.choose")}</option>
          <Options values={PROVINCES} name={(value) => vocabularyName("province", value, t)} />
        </SelectField>
        <SelectField
          {...useField("district")}
          help={province === "" ? t("publish.districtHelp") : undefined}
          disabled={province === ""}
        >
          <option value="">{t("publish.choose")}</option>
          <Options values={districts} name={(value) => vocabularyName("district", value, t)} />
        </SelectField>
      </Pair>
      <PlainField name="city" autoComplete="address-level2" />
    </Section>
  );
}
