// The form with which awards are searched. It is sent with Enter or its button. A narrow window
// shows the fields of the winner and the body with the other filters.

import { Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { type AwardFilters, CURRENCIES, hasRareFilters, readFilters } from "./filters.ts";

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
    <>
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
    </>
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
  const [isOpen, setOpen] = useState(false);
  // The fields stay in the form while they are out of sight, so that a search keeps what they have.
  const whileClosed = hasRareFilters(filters) ? "max-lg:hidden" : "hidden";
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch(filtersOf(event.currentTarget));
  };
  return (
    <search className="block">
      <form onSubmit={submit} className="rounded-xl border border-line bg-sheet p-4">
        {filters.buyer !== "" && <input type="hidden" name="buyer" value={filters.buyer} />}
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto]">
          <TextField
            label={t("awards.search")}
            placeholder={t("awards.searchExample")}
            name="search"
            type="search"
            enterKeyHint="search"
            maxLength={200}
            defaultValue={filters.search}
          />
          <div className={`max-lg:col-span-2 ${isOpen ? "" : "max-lg:hidden"}`}>
            <TextField
              label={t("awards.winner")}
              name="winner"
              maxLength={200}
              defaultValue={filters.winner}
            />
          </div>
          <div className={`max-lg:col-span-2 ${isOpen ? "" : "max-lg:hidden"}`}>
            <TextField label={t("awards.body")} name="body" maxLength={200} defaultValue={filters.body} />
          </div>
          <Button type="submit" className="max-lg:col-start-2 max-lg:row-start-1 max-sm:px-3!">
            <Search size={18} aria-hidden />
            <span className="max-sm:sr-only">{t("awards.find")}</span>
          </Button>
        </div>
        <div
          className={`mt-3 grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4 ${isOpen ? "" : whileClosed}`}
        >
          <MoreFilters filters={filters} />
        </div>
        {!isOpen && (
          <button
            type="button"
            onClick={() => setOpen(true)}
            className={`mt-2 -mb-2 min-h-11 font-semibold text-accent hover:underline ${hasRareFilters(filters) ? "lg:hidden" : ""}`}
          >
            {t("awards.more")}
          </button>
        )}
      </form>
    </search>
  );
}
