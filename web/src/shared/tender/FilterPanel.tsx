// The filters of the advanced search: ranges, and lists of choices with the number of tenders for each.
// A change takes effect at once and appears in the address.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { messageOf } from "@/api/error.ts";
import type { Facets } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { inputStyle } from "@/ui/Field.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";
import { useChoiceLabel } from "./choiceLabels.ts";
import type { AdvancedFilters, BoundName, Filters, ListName } from "./filters.ts";
import { toggleChoice } from "./filters.ts";
import { tenderFacets } from "./tenderQueries.ts";

export interface FilterPanelProps {
  filters: Filters;
  onChange: (advanced: AdvancedFilters) => void;
  /** The date filter that is hidden because another control sets it. */
  hiddenDateFilter?: "closing" | "published";
  /** The list that is hidden because another control sets it. */
  hiddenList?: ListName;
}

/** The order of the facets, the shortest first. Each shows its most frequent values first. */
const FACET_ORDER: readonly ListName[] = [
  "kinds",
  "grades",
  "categories",
  "districts",
  "provinces",
  "organizationTypes",
  "organizations",
  "languages",
  "publications",
];
/**
 * A facet first shows at most this many lines: choices, or choices and a button for the rest. Chosen values
 * of the rest are shown besides.
 */
export const MAX_FACET_LINES = 8;
/** The facets of which the server sends only the most frequent values, and how many it sends. */
const CUT_FACETS: readonly ListName[] = ["organizations", "publications"];
const SENT_VALUES = 20;

function FacetGroup({
  name,
  filters,
  facets,
  onChange,
}: FilterPanelProps & { name: ListName; facets: Facets }) {
  const { t } = useTranslation();
  const choiceLabel = useChoiceLabel();
  const [all, setAll] = useState(false);
  const chosen = filters.advanced[name] ?? [];
  const counted = facets[name].filter(({ name: value, count }) => count > 0 || chosen.includes(value));
  const missing = chosen.filter((value) => !counted.some((choice) => choice.name === value));
  const choices = [...missing.map((value) => ({ name: value, count: 0 })), ...counted];
  const byCount = choices.toSorted((a, b) => b.count - a.count);
  const shown =
    all || choices.length <= MAX_FACET_LINES
      ? byCount
      : byCount.filter(({ name: value }, rank) => rank < MAX_FACET_LINES - 1 || chosen.includes(value));
  const isCut = CUT_FACETS.includes(name) && facets[name].length >= SENT_VALUES;
  if (choices.length === 0) return null;
  return (
    <fieldset className="mb-5 min-w-0 break-inside-avoid">
      <legend className="mb-1 text-[0.9375rem] font-semibold">{t(`tenders.advanced.group.${name}`)}</legend>
      {shown.map(({ name: value, count }) => (
        <label
          key={value}
          className="flex min-h-8 cursor-pointer items-center gap-2 text-[0.9375rem] max-sm:min-h-11"
        >
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={() => onChange(toggleChoice(filters.advanced, { name, value }))}
            className="size-4.5 shrink-0 accent-accent"
          />
          <span className="min-w-0 flex-1 truncate">{choiceLabel({ name, value })}</span>
          <span className="text-sm text-ink-soft tabular-nums">{count}</span>
        </label>
      ))}
      {shown.length < choices.length && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="min-h-8 text-sm font-semibold text-accent hover:underline max-sm:min-h-11"
        >
          {t("tenders.advanced.more", { count: choices.length - shown.length })}
        </button>
      )}
      {isCut && shown.length === choices.length && (
        <p className="mt-1 text-sm text-ink-soft">
          {t("tenders.advanced.mostFrequent", { count: SENT_VALUES })}
        </p>
      )}
    </fieldset>
  );
}

/** A field for a date or an amount. Leaving the field or pressing Enter applies the input. */
function BoundField({
  name,
  type,
  filters,
  onChange,
}: FilterPanelProps & { name: BoundName; type: "date" | "number" }) {
  const { t } = useTranslation();
  const id = useId();
  const value = filters.advanced[name] ?? "";
  const apply = (text: string) => {
    if (text !== value) onChange({ ...filters.advanced, [name]: text === "" ? undefined : text });
  };
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm text-ink-soft">
        {t(`tenders.advanced.bound.${name}`)}
      </label>
      <input
        key={value}
        id={id}
        type={type}
        {...(type === "number" && { min: 0, step: "any", inputMode: "decimal" })}
        defaultValue={value}
        onBlur={(event) => apply(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && apply(event.currentTarget.value)}
        className={inputStyle}
      />
    </div>
  );
}

function RangeFields({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-[0.9375rem] font-semibold">{title}</legend>
      <div className="grid grid-cols-2 gap-2">{children}</div>
    </fieldset>
  );
}

export function FilterPanel({ filters, onChange, hiddenDateFilter, hiddenList }: FilterPanelProps) {
  const { t } = useTranslation();
  const facets = useQuery(tenderFacets(filters));
  const bound = (name: BoundName, type: "date" | "number") => (
    <BoundField name={name} type={type} filters={filters} onChange={onChange} />
  );
  return (
    <>
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
        {hiddenDateFilter !== "closing" && (
          <RangeFields title={t("tenders.advanced.closing")}>
            {bound("closingFrom", "date")}
            {bound("closingUntil", "date")}
          </RangeFields>
        )}
        {hiddenDateFilter !== "published" && (
          <RangeFields title={t("tenders.advanced.published")}>
            {bound("publishedFrom", "date")}
            {bound("publishedUntil", "date")}
          </RangeFields>
        )}
        <RangeFields title={t("tenders.advanced.value")}>
          {bound("minValue", "number")}
          {bound("maxValue", "number")}
        </RangeFields>
      </div>
      {facets.error && (
        <div className="mt-4">
          <ErrorBanner title={messageOf(facets.error, t("tenders.advanced.error"))} />
        </div>
      )}
      {facets.isPending && (
        <div role="status" aria-label={t("tenders.advanced.loading")} className="skeleton mt-5 h-40" />
      )}
      {facets.data && (
        <div aria-busy={facets.isPlaceholderData} className="mt-5 gap-x-6 sm:columns-2 lg:columns-4">
          {FACET_ORDER.filter((name) => name !== hiddenList).map((name) => (
            <FacetGroup key={name} name={name} facets={facets.data} filters={filters} onChange={onChange} />
          ))}
        </div>
      )}
    </>
  );
}
