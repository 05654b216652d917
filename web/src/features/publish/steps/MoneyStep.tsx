// The third step: the value, the bonds, and the bidding documents.

import { useFormContext } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { CURRENCIES } from "@/shared/tender/vocabulary.ts";
import { SelectField } from "@/ui/Field.tsx";
import type { PublishForm } from "../form.ts";
import { BondField } from "./BondField.tsx";
import { DayField, Options, Pair, PlainField, Section, useField } from "./fields.tsx";

export function MoneyStep() {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t("publish.section.financial")}>
        <Pair>
          <PlainField name="estimatedValue" inputMode="decimal" help={t("publish.millionsHelp")} />
          <CurrencyField name="currency" />
        </Pair>
        <BondField name="bidBond" />
        <BondField name="performanceBond" />
      </Section>
      <Section title={t("publish.section.fee")} help={t("publish.feeHelp")}>
        <Pair>
          <PlainField name="fee" inputMode="decimal" help={t("publish.freeHelp")} />
          <CurrencyField name="feeCurrency" />
        </Pair>
        <Pair>
          <DayField name="saleFrom" />
          <DayField name="saleUntil" />
        </Pair>
        <PlainField name="salePlace" />
      </Section>
    </>
  );
}

/** A currency. A tender that was loaded may have one that is not offered. */
function CurrencyField({ name }: { name: "currency" | "feeCurrency" }) {
  const { getValues } = useFormContext<PublishForm>();
  const current = getValues(name);
  const isOffered = CURRENCIES.some((offered) => offered === current);
  return (
    <SelectField {...useField(name)} optional={undefined}>
      <Options values={isOffered ? CURRENCIES : [...CURRENCIES, current]} />
    </SelectField>
  );
}
