// The fourth step: the place, the dates, and the pre-bid meeting.

import { useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { districtsOf, PROVINCES } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { SelectField } from "@/ui/Field.tsx";
import type { PublishForm } from "../form.ts";
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
