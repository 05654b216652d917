// The filters that everybody may use beside the search bar: the districts, and the switch that hides
// closed tenders.

import { useState } from "react";
import type { Facets } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { MAX_FACET_LINES } from "@/shared/tender/FilterPanel.tsx";
import { type Filters, toggleChoice } from "@/shared/tender/filters.ts";
import { ALL_DISTRICTS } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Popover } from "@/ui/Popover.tsx";

interface BasicFiltersProps {
  filters: Filters;
  /** The number of tenders for each district; `undefined` while it is unknown. */
  facets: Facets | undefined;
  /** Whether the user has a company profile, which says for what the company may bid. */
  hasCompany: boolean;
  onChange: (filters: Filters) => void;
}

/**
 * A checkbox for each district, in the order of the alphabet. A folded list has those with the most tenders
 * first, and at first only these and the chosen ones.
 */
function DistrictChoices({
  filters,
  facets,
  isFolded = false,
  onChange,
}: BasicFiltersProps & { isFolded?: boolean }) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(!isFolded);
  const chosen = filters.advanced.districts ?? [];
  const counts = new Map(facets?.districts.map(({ name, count }) => [name, count]));
  const districts = ALL_DISTRICTS.map((value) => ({
    value,
    label: vocabularyName("district", value, t),
    count: counts.get(value) ?? 0,
  })).toSorted((a, b) => (isFolded ? b.count - a.count : 0) || a.label.localeCompare(b.label));
  const shown = isWhole
    ? districts
    : districts.filter(({ value }, rank) => rank < MAX_FACET_LINES - 1 || chosen.includes(value));
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{t("tenders.advanced.group.districts")}</legend>
      <div className="grid gap-x-5 min-[420px]:grid-cols-2">
        {shown.map(({ value, label, count }) => (
          <label
            key={value}
            className="flex min-h-8 cursor-pointer items-center gap-2 text-[0.9375rem] max-sm:min-h-11"
          >
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() => {
                const advanced = toggleChoice(filters.advanced, { name: "districts", value });
                onChange({ ...filters, advanced, page: 1 });
              }}
              className="size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 flex-1 truncate">{label}</span>{" "}
            {facets && <span className="text-sm text-ink-soft tabular-nums">{count}</span>}
          </label>
        ))}
      </div>
      {shown.length < districts.length && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="min-h-8 text-sm font-semibold text-accent hover:underline max-sm:min-h-11"
        >
          {t("tenders.advanced.more", { count: districts.length - shown.length })}
        </button>
      )}
    </fieldset>
  );
}

interface SwitchBoxProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

function SwitchBox({ label, checked, disabled, onChange }: SwitchBoxProps) {
  return (
    <label className="inline-flex min-h-9 cursor-pointer items-center gap-2 text-[0.9375rem] font-medium max-sm:min-h-11">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4.5 shrink-0 accent-accent"
      />
      {label}
    </label>
  );
}

/** Hides closed tenders, and those for which the company lacks something. */
function SwitchBoxes({ filters, hasCompany, onChange }: Omit<BasicFiltersProps, "facets">) {
  const { t } = useTranslation();
  return (
    <>
      <SwitchBox
        label={t("tenders.basic.hideClosed")}
        checked={filters.hideClosed && filters.show === null}
        // A stat card decides about closed tenders itself.
        disabled={filters.show !== null}
        onChange={(hideClosed) => onChange({ ...filters, hideClosed, page: 1 })}
      />
      {(hasCompany || filters.mayBid) && (
        <SwitchBox
          label={t("tenders.basic.mayBid")}
          checked={filters.mayBid}
          onChange={(mayBid) => onChange({ ...filters, mayBid, page: 1 })}
        />
      )}
    </>
  );
}

/** The basic filters in a row, the districts in a menu. */
export function BasicFilterRow({ onOpen, ...props }: BasicFiltersProps & { onOpen: () => void }) {
  const { t } = useTranslation();
  const chosen = props.filters.advanced.districts ?? [];
  const names = chosen.map((value) => vocabularyName("district", value, t));
  return (
    <>
      <Popover
        label={chosen.length === 0 ? t("tenders.basic.allDistricts") : names.join(", ")}
        onOpen={onOpen}
      >
        <DistrictChoices {...props} />
      </Popover>
      <SwitchBoxes {...props} />
    </>
  );
}

/** The switches of the basic filters below each other. */
export function SwitchList(props: Omit<BasicFiltersProps, "facets">) {
  return (
    <div className="flex flex-col items-start">
      <SwitchBoxes {...props} />
    </div>
  );
}

/** The districts with their heading, the most frequent ones first. */
export function DistrictList(props: BasicFiltersProps) {
  const { t } = useTranslation();
  return (
    <>
      <h3 className="mt-3 mb-1 text-[0.9375rem] font-semibold">{t("tenders.advanced.group.districts")}</h3>
      <DistrictChoices {...props} isFolded />
    </>
  );
}
