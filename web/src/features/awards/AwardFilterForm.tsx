// The form with which awards are searched. It is sent with Enter or its button.

import { Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { type AwardFilters, CURRENCIES, hasMoreFilters, readFilters } from "./filters.ts";

/** The fields of the form as filters, on the first page. */
function filtersOf(form: HTMLFormElement): AwardFilters {
  const parameters = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") parameters.set(name, value);
  }
  return readFilters(parameters);
}

function MoreFilters({ filters }: { filters: AwardFilters }) {
  const { t } = useTranslation();
  return (
    <div className="mt-3 grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      <TextField label={t("awards.body")} name="body" maxLength={200} defaultValue={filters.body} />
      <TextField label={t("awards.winner")} name="winner" maxLength={200} defaultValue={filters.winner} />
      <TextField
        label={t("awards.year")}
        name="year"
        inputMode="numeric"
        maxLength={4}
        defaultValue={filters.year}
      />
      <SelectField label={t("awards.currency")} name="currency" defaultValue={filters.currency}>
        <option value="">{t("awards.anyCurrency")}</option>
        {CURRENCIES.map((code) => (
          <option key={code} value={code}>
            {code}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t("awards.minAmount")}
        name="minAmount"
        inputMode="decimal"
        maxLength={20}
        defaultValue={filters.minAmount}
      />
      <TextField
        label={t("awards.maxAmount")}
        name="maxAmount"
        inputMode="decimal"
        maxLength={20}
        defaultValue={filters.maxAmount}
      />
    </div>
  );
}

export function AwardFilterForm({
  filters,
  onSearch,
}: {
  filters: AwardFilters;
  onSearch: (filters: AwardFilters) => void;
}) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(hasMoreFilters(filters));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch(filtersOf(event.currentTarget));
  };
  return (
    <search className="block">
      <form onSubmit={submit} className="rounded-xl border border-line bg-sheet p-4">
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-64">
            <TextField
              label={t("awards.search")}
              name="search"
              type="search"
              enterKeyHint="search"
              maxLength={200}
              defaultValue={filters.search}
            />
          </div>
          <Button type="submit">
            <Search size={18} aria-hidden />
            {t("awards.find")}
          </Button>
        </div>
        {isOpen && <MoreFilters filters={filters} />}
        {!isOpen && (
          <button
            type="button"
            onClick={() => setOpen(true)}
            className="mt-2 min-h-11 font-semibold text-accent hover:underline"
          >
            {t("awards.more")}
          </button>
        )}
      </form>
    </search>
  );
}
