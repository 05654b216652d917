// The filters of a supplier's own tenders: four counters, and a search by text and sector.

import { Search } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { SectorSelect } from "@/shared/tender/SectorSelect.tsx";
import { Button } from "@/ui/Button.tsx";
import { type OwnTenderFilters, STATUS_FILTERS, type StatusFilter } from "./ownTenderFilters.ts";

type Counts = Record<"all" | StatusFilter, number>;

/** The number of tenders per status. Pressing a counter filters the list by its status. */
export function Counters({
  counts,
  active,
  onChoose,
}: {
  counts: Counts;
  active: StatusFilter | null;
  onChoose: (show: StatusFilter | null) => void;
}) {
  const { t } = useTranslation();
  return (
    <fieldset className="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-4">
      <legend className="sr-only">{t("tenders.cards.label")}</legend>
      {([null, ...STATUS_FILTERS] as const).map((show) => (
        <button
          key={show ?? "all"}
          type="button"
          aria-pressed={active === show}
          onClick={() => onChoose(show)}
          className="rounded-xl border border-line bg-sheet px-4 py-3 text-left transition-colors hover:border-accent aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent"
        >
          <span className="block text-2xl font-bold">{counts[show ?? "all"]}</span>{" "}
          <span className="block text-sm">{t(`account.dashboard.counters.${show ?? "all"}`)}</span>
        </button>
      ))}
    </fieldset>
  );
}

type SearchTerms = Pick<OwnTenderFilters, "category" | "search">;

/** A text takes effect on Enter or when the button is pressed. A sector takes effect at once. */
export function OwnTenderSearch({
  initial,
  onSearch,
}: {
  initial: SearchTerms;
  onSearch: (terms: SearchTerms) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState(initial.search);
  // If the address changes in another way, such as through the back button, show its text.
  const [lastSearch, setLastSearch] = useState(initial.search);
  if (lastSearch !== initial.search) {
    setLastSearch(initial.search);
    setText(initial.search);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch({ ...initial, search: text.trim() });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a form with this role needs no `<search>` around it
    <form
      role="search"
      aria-label={t("account.dashboard.search")}
      onSubmit={submit}
      className="mb-3 flex flex-wrap gap-2"
    >
      <label htmlFor={`${id}-category`} className="sr-only">
        {t("tenders.search.category")}
      </label>
      <SectorSelect
        id={`${id}-category`}
        value={initial.category}
        onChange={(category) => onSearch({ search: text.trim(), category })}
        className="min-h-11 rounded-lg border border-edge pl-3"
      />
      <label htmlFor={`${id}-text`} className="sr-only">
        {t("tenders.search.text")}
      </label>
      <input
        id={`${id}-text`}
        type="search"
        enterKeyHint="search"
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
        placeholder={t("account.dashboard.searchHint")}
        className="min-h-11 min-w-0 flex-1 rounded-lg border border-edge bg-sheet px-3 placeholder:text-ink-soft"
      />
      <Button type="submit" variant="outlined">
        <Search size={18} aria-hidden />
        <span className="max-[420px]:sr-only">{t("tenders.search.button")}</span>
      </Button>
    </form>
  );
}
