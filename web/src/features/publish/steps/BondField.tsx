// A bond as a percentage of the bid or as an amount.

import { useFormContext } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { SelectField } from "@/ui/Field.tsx";
import { type FieldPath, PERCENT, type PublishForm } from "../form.ts";
import { Pair, PlainField, useField } from "./fields.tsx";

const RUPEES = "LKR";

/** The units to choose from. A bond that was loaded may have another currency. */
export function UnitOptions({ name }: { name: FieldPath }) {
  const { t } = useTranslation();
  const { getValues } = useFormContext<PublishForm>();
  const current = String(getValues(name));
  return (
    <>
      <option value={PERCENT}>{t("publish.unit.percent")}</option>
      <option value={RUPEES}>{t("publish.unit.rupees")}</option>
      {current !== PERCENT && current !== RUPEES && <option value={current}>{current}</option>}
    </>
  );
}

export function BondField({ name }: { name: "bidBond" | "performanceBond" }) {
  const unit = `${name}Unit` as const;
  return (
    <Pair>
      <PlainField name={name} inputMode="decimal" autoComplete="off" />
      <SelectField {...useField(unit)} optional={undefined}>
        <UnitOptions name={unit} />
      </SelectField>
    </Pair>
  );
}
