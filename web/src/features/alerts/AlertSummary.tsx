// What a new alert would send: its keywords and filters, and the filters of the search that it lacks.

import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel } from "@/i18n/translate.ts";
import { useChoiceLabel } from "@/shared/tender/choiceLabels.ts";
import type { Choice } from "@/shared/tender/filters.ts";
import { SECTORS } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import type { Alert } from "./api.ts";
import { type AlertForm, newAlert, toForm } from "./form.ts";

type SummaryField =
  | "keywords"
  | "categories"
  | "bodies"
  | "organizationTypes"
  | "provinces"
  | "districts"
  | "cities"
  | "value"
  | "currency"
  | "excludeKeywords"
  | "minDays"
  | "maxDays"
  | "statuses"
  | "priorities";

interface SummaryRow {
  name: SummaryField;
  label: string;
  /** One of them is enough. */
  values: string[];
}

/** The rows of the summary, without what is not set. */
export function useSummaryRows(form: AlertForm): SummaryRow[] {
  const { t } = useTranslation();
  const choiceLabel = useChoiceLabel();
  const bound = (name: "minValue" | "maxValue") =>
    form[name] === "" ? [] : [choiceLabel({ name, value: form[name] })];
  const bounds = [...bound("minValue"), ...bound("maxValue")];
  const filled = (text: string) => (text.trim() === "" ? [] : [text]);
  const isDefault = form.statuses.join() === newAlert.statuses.join();
  const topic = (value: AlertForm["categories"][number]) =>
    SECTORS.some((sector) => sector === value)
      ? enumLabel(t, "tenders.sector", value)
      : vocabularyName("category", value, t);
  const rows: SummaryRow[] = [
    {
      name: "keywords",
      label: t("alerts.form.keywords"),
      values: form.keywords.map(({ term }) => term).filter(Boolean),
    },
    { name: "categories", label: t("alerts.form.categories"), values: form.categories.map(topic) },
    { name: "bodies", label: t("alerts.form.bodies"), values: form.bodies },
    {
      name: "organizationTypes",
      label: t("alerts.form.organizationTypes"),
      values: form.organizationTypes.map((type) => t(`tenders.organizationType.${type}`)),
    },
    {
      name: "provinces",
      label: t("alerts.form.provinces"),
      values: form.provinces.map((province) => vocabularyName("province", province, t)),
    },
    {
      name: "districts",
      label: t("alerts.form.districts"),
      values: form.districts.map((district) => vocabularyName("district", district, t)),
    },
    { name: "cities", label: t("alerts.form.cities"), values: form.cities },
    { name: "value", label: t("alerts.offer.value"), values: bounds },
    {
      name: "currency",
      label: t("alerts.form.currency"),
      values: bounds.length > 0 && form.currency !== newAlert.currency ? [form.currency] : [],
    },
    { name: "excludeKeywords", label: t("alerts.form.excludeKeywords"), values: form.excludeKeywords },
    { name: "minDays", label: t("alerts.form.minDays"), values: filled(form.minDays) },
    { name: "maxDays", label: t("alerts.form.maxDays"), values: filled(form.maxDays) },
    {
      name: "statuses",
      label: t("alerts.form.statuses"),
      // Every new alert looks for published tenders.
      values: isDefault ? [] : form.statuses.map((status) => t(`tenders.status.${status}`)),
    },
    {
      name: "priorities",
      label: t("alerts.form.priorities"),
      values: form.priorities.map((priority) => t(`tenders.priority.${priority}`)),
    },
  ];
  return rows.filter(({ values }) => values.length > 0);
}

/** Says which filters of the search an alert does not have, so that it sends more. */
export function DroppedFilters({ choices }: { choices: readonly Choice[] }) {
  const { t } = useTranslation();
  const choiceLabel = useChoiceLabel();
  if (choices.length === 0) return null;
  return (
    <p className="rounded-lg bg-soon-wash px-4 py-3 text-[0.9375rem] text-soon">
      {t("alerts.offer.dropped", { filters: choices.map(choiceLabel).join(", ") })}
    </p>
  );
}

/** What narrows an alert besides its keywords and organisations, in one line. */
export function AlertFilterLine({ alert }: { alert: Alert }) {
  const rows = useSummaryRows({ ...toForm(alert), keywords: [], bodies: [] });
  if (rows.length === 0) return null;
  return (
    <p className="mt-2 text-[0.9375rem] wrap-anywhere">
      {rows.map(({ label, values }) => `${label}: ${values.join(", ")}`).join(" · ")}
    </p>
  );
}

export function AlertSummary({ form }: { form: AlertForm }) {
  const rows = useSummaryRows(form);
  return (
    <dl className="grid gap-3 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-6">
      {rows.map(({ label, values }) => (
        <div key={label} className="contents max-sm:block">
          <dt className="text-[0.9375rem] text-ink-soft">{label}</dt>
          <dd className="font-medium wrap-anywhere">{values.join(", ")}</dd>
        </div>
      ))}
    </dl>
  );
}
