// The search box of Home, with suggestions and links to the sectors. A search opens the listing.

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type FormEvent, useDeferredValue, useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import type { Suggestion } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel } from "@/i18n/translate.ts";
import { paths } from "@/shared/paths.ts";
import { tenderSuggestions } from "@/shared/tender/suggestions.ts";
import { tenderStats } from "@/shared/tender/tenderStats.ts";
import { Autocomplete } from "@/ui/Autocomplete.tsx";
import { Button } from "@/ui/Button.tsx";

/** The typed text or a suggestion. */
type SearchOption = { kind: "text"; text: string } | Suggestion;

const chipStyle =
  "inline-flex min-h-9 items-center gap-1.5 rounded-full border border-line px-3 text-sm font-medium max-md:min-h-11";

/**
 * Links to the sectors, those without a tender left out, and the number of tenders of no sector, which no
 * filter lists.
 */
function SectorLinks() {
  const { t } = useTranslation();
  const { data: stats } = useQuery(tenderStats);
  const sectors = stats?.sectorStats.filter(({ count }) => count > 0) ?? [];
  if (!stats || sectors.length === 0) return null;
  const other = sectors.reduce((rest, { count }) => rest - count, stats.totalTenders);
  return (
    <ul
      aria-label={t("home.search.sectors")}
      className="mt-3 flex gap-2 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 sm:flex-wrap"
    >
      {sectors.map(({ _id, count }) => (
        <li key={_id} className="shrink-0">
          <Link
            to={`${paths.tenders}?category=${_id}`}
            className={`${chipStyle} bg-sheet hover:border-accent hover:text-accent`}
          >
            {enumLabel(t, "home.sector", _id)} <span className="text-ink-soft">{count}</span>
          </Link>
        </li>
      ))}
      {other > 0 && (
        <li className={`${chipStyle} shrink-0 text-ink-soft`}>
          {t("home.sector.other")} <span>{other}</span>
        </li>
      )}
    </ul>
  );
}

export function SearchBox() {
  const { t } = useTranslation();
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const typed = text.trim();
  const { data: suggested = [] } = useQuery(tenderSuggestions(useDeferredValue(typed)));
  const items: SearchOption[] = typed === "" ? [] : [{ kind: "text", text: typed }, ...suggested];
  const searchFor = (words: string) =>
    void navigate(
      words === "" ? paths.tenders : `${paths.tenders}?${new URLSearchParams({ search: words })}`,
    );
  const choose = (item: SearchOption) =>
    item.kind === "tender" && item._id ? void navigate(paths.tender(item._id)) : searchFor(item.text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    searchFor(typed);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a form with this role needs no `<search>` around it */}
      <form
        role="search"
        aria-label={t("home.search.label")}
        onSubmit={submit}
        className="mt-5 flex rounded-xl border border-edge bg-sheet shadow-sheet focus-within:border-accent focus-within:ring-1 focus-within:ring-accent"
      >
        <label htmlFor={id} className="sr-only">
          {t("home.search.text")}
        </label>
        <Autocomplete<SearchOption>
          id={id}
          type="search"
          enterKeyHint="search"
          maxLength={200}
          value={text}
          onType={setText}
          items={items}
          keyOf={(item) => (item.kind === "text" ? "text" : `${item.kind} ${item._id ?? item.text}`)}
          onChoose={choose}
          listLabel={t("home.search.suggestions")}
          placeholder={t("home.search.placeholder")}
          className="min-h-12 w-full sm:min-h-14 bg-transparent px-4 text-lg outline-none placeholder:text-ink-soft"
        >
          {({ kind, text }) => (
            <span className="flex items-baseline justify-between gap-3">
              <span className="line-clamp-2">{text}</span>
              <span className="shrink-0 text-sm text-ink-soft">{t(`home.search.suggested.${kind}`)}</span>
            </span>
          )}
        </Autocomplete>
        <Button type="submit" className="m-1.5" size="large">
          <Search size={18} aria-hidden />
          <span className="max-sm:sr-only">{t("home.search.button")}</span>
        </Button>
      </form>
      <SectorLinks />
    </>
  );
}
