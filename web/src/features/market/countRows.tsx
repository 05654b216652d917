// The rows of a table of districts, sectors, categories or grades.

import { Link } from "react-router";
import type { Market } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import type { CountRow } from "./CountTable.tsx";
import { linkStyle } from "./linkStyle.ts";

interface RowSource {
  counts: Market["districts"];
  name: (value: string) => string;
  /** The page of a value; `null` if it has none. */
  part: (value: string) => string | null;
  /** The open tenders of a value in the listing; `undefined` if the reader's listing can't show them. */
  listingOf?: ((value: string) => string | undefined) | undefined;
}

/** The rows, most open tenders first. What is not stated comes last. */
export function countRows(t: Translate, { counts, name, part, listingOf }: RowSource): CountRow[] {
  const row = ({ value, ...numbers }: RowSource["counts"][number]): CountRow => {
    if (value == null) {
      const label = <span className="text-ink-soft">{t("market.notStated")}</span>;
      return { key: "", label, ...numbers, uncertain: 0, isRest: true };
    }
    const to = part(value);
    return {
      key: value,
      label:
        to === null ? (
          name(value)
        ) : (
          <Link to={to} className={linkStyle}>
            {name(value)}
          </Link>
        ),
      ...numbers,
      path: listingOf?.(value),
    };
  };
  const rows = counts
    .map(row)
    .toSorted((one, other) => (other.open ?? 0) - (one.open ?? 0) || other.count - one.count);
  return [...rows.filter(({ isRest }) => !isRest), ...rows.filter(({ isRest }) => isRest)];
}
