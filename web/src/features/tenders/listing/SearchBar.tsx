// The search bar with a sector and a text. Enter or the button starts the search. Suggestions
// appear while the user types.

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type FormEvent, useDeferredValue, useId, useState } from "react";
import { useNavigate } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import type { Suggestion } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import type { Filters } from "@/shared/tender/filters.ts";
import { SectorSelect } from "@/shared/tender/SectorSelect.tsx";
import { tenderSuggestions } from "@/shared/tender/suggestions.ts";
import { ALL_DISTRICTS, type District, type Sector } from "@/shared/tender/vocabulary.ts";
import { Autocomplete } from "@/ui/Autocomplete.tsx";
import { Button } from "@/ui/Button.tsx";

/** The typed text or a suggestion. */
type SearchOption = { kind: "text"; text: string } | Suggestion;

interface SearchBarProps {
  filters: Filters;
  onSearch: (chosen: Pick<Filters, "category" | "search">) => void;
  /** Filters by a district instead of searching for its name. */
  onChooseDistrict: (district: District) => void;
}

export function SearchBar({ filters, onSearch, onChooseDistrict }: SearchBarProps) {
  const { t } = useTranslation();
  const id = useId();
  const navigate = useNavigate();
  const [category, setCategory] = useState<Sector | null>(filters.category);
  const [search, setSearch] = useState(filters.search);

  // If the filters changed, for example through a stat card or the back button, the inputs take
  // over the new values. The focus stays where it is.
  const [lastFilters, setLastFilters] = useState(filters);
  if (
    lastFilters.category !== filters.category ||
    lastFilters.search !== filters.search ||
    lastFilters.show !== filters.show
  ) {
    setLastFilters(filters);
    setCategory(filters.category);
    setSearch(filters.search);
  }

  const searchFor = (text: string) => onSearch({ category, search: text });
  const typed = search.trim();
  // Deferred, so that suggestions do not slow down typing.
  const { data: suggested = [] } = useQuery(tenderSuggestions(useDeferredValue(typed)));
  const items: SearchOption[] = typed === "" ? [] : [{ kind: "text", text: typed }, ...suggested];
  const choose = (item: SearchOption) => {
    if (item.kind === "text") return searchFor(item.text);
    if (item.kind === "tender" && item._id) return void navigate(paths.tender(item._id));
    const district = item.kind === "place" ? parseEnum(ALL_DISTRICTS, item.text) : null;
    if (district) {
      setSearch("");
      return onChooseDistrict(district);
    }
    setSearch(item.text);
    onSearch({ category: null, search: item.text });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    searchFor(typed);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a form with this role needs no `<search>` around it
    <form
      role="search"
      aria-label={t("tenders.search.label")}
      onSubmit={submit}
      className="flex flex-wrap rounded-xl border border-edge bg-sheet focus-within:border-accent focus-within:ring-1 focus-within:ring-accent"
    >
      <label htmlFor={`${id}-category`} className="sr-only">
        {t("tenders.search.category")}
      </label>
      <SectorSelect
        id={`${id}-category`}
        value={category}
        onChange={setCategory}
        className="min-h-12 rounded-xl pl-4 outline-none max-sm:rounded-b-none max-sm:border-b max-sm:border-line"
      />
      <label htmlFor={`${id}-text`} className="sr-only">
        {t("tenders.search.text")}
      </label>
      <Autocomplete<SearchOption>
        id={`${id}-text`}
        type="search"
        enterKeyHint="search"
        maxLength={200}
        value={search}
        onType={setSearch}
        items={items}
        keyOf={(item) => (item.kind === "text" ? "text" : `${item.kind} ${item._id ?? item.text}`)}
        onChoose={choose}
        listLabel={t("tenders.search.suggestions")}
        placeholder={t("tenders.search.placeholder")}
        className="min-h-12 w-full bg-transparent px-4 outline-none placeholder:text-ink-soft sm:border-l sm:border-line"
      >
        {({ kind, text }) => (
          <span className="flex items-baseline justify-between gap-3">
            <span className="line-clamp-2">{text}</span>
            <span className="shrink-0 text-sm text-ink-soft">{t(`tenders.search.suggested.${kind}`)}</span>
          </span>
        )}
      </Autocomplete>
      <Button type="submit" className="m-1 uppercase">
        <Search size={18} aria-hidden />
        <span className="max-[420px]:sr-only">{t("tenders.search.button")}</span>
      </Button>
    </form>
  );
}
