// The rows of a table of districts, sectors or grades, with the numbers of the listing to which they lead.

import { Link } from "react-router";
import type { Market } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import type { CountRow } from "./CountTable.tsx";
import { linkStyle } from "./linkStyle.ts";

type Counts = Market["districts"];

/** Numbers of open tenders and of all tenders. */
interface OpenAndAll {
  open: number;
  all: number;
}

interface RowSource {
  counts: Counts;
  name: (value: string) => string;
  /** The part of the market that a value leads to. */
  part: (value: string) => string;
  /** The open tenders of a value in the listing. */
  listingOf: (value: string) => string;
  /** The numbers of the listing: its open tenders, and all. */
  listed: { open: ReadonlyMap<string, number>; all: ReadonlyMap<string, number> };
  /** The listed tenders that `counts` leave out, because they are in this part of the market without certainty. */
  unsure?: OpenAndAll;
  /** The listed tenders without a category. With them, the table has a row of the category "Other". */
  uncategorised?: OpenAndAll | undefined;
}

/**
 * The rows of a table of values, most open tenders first. They have the numbers of the listing where it can
 * show the value, because they lead to it.
 */
export function countRows(t: Translate, source: RowSource): CountRow[] {
  const { counts, name, part, listingOf, listed } = source;
  const known = new Set(counts.map(({ value }) => value));
  const others = [...listed.all]
    .filter(([value, count]) => count > 0 && !known.has(value))
    .map(([value]) => ({ value, count: 0, open: 0 }));
  const stated = [...counts, ...others].flatMap(({ value, count, open }) => {
    if (!value) return [];
    const uncertain = uncertainOf(listed.open.get(value), open);
    const all = Math.max(count, listed.all.get(value) ?? 0, open + uncertain);
    return {
      key: value,
      label: (
        <Link to={part(value)} className={linkStyle}>
          {name(value)}
        </Link>
      ),
      count: all,
      open: open + uncertain,
      path: listed.open.has(value) ? listingOf(value) : undefined,
      uncertain,
      added: all - count,
    };
  });
  const sorted = stated.toSorted((one, other) => other.open - one.open || other.count - one.count);
  return [...sorted, ...restRows(t, sorted, source)];
}

/**
 * The last rows, which count what is not stated. The server also counts there what is not certain. What other
 * rows have from the listing is subtracted, so that no tender counts twice.
 */
function restRows(
  t: Translate,
  stated: readonly { uncertain: number; added: number }[],
  { counts, unsure = { open: 0, all: 0 }, uncategorised }: RowSource,
): CountRow[] {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const notStated = counts.find(({ value }) => !value);
  const added = sum(stated.map((row) => row.added));
  const uncertain = sum(stated.map((row) => row.uncertain));
  const open = Math.max(0, (notStated?.open ?? 0) + unsure.open - uncertain);
  const count = Math.max(open, (notStated?.count ?? 0) + unsure.all - added);
  const row = (key: string, label: string, { open, all }: OpenAndAll): CountRow[] =>
    all === 0
      ? []
      : [{ key, label: <span className="text-ink-soft">{label}</span>, count: all, open, isRest: true }];
  if (!uncategorised) {
    return row("", t(added > 0 ? "market.notStatedAlone" : "market.notStated"), { open, all: count });
  }
  const without = { open: Math.min(open, uncategorised.open), all: Math.min(count, uncategorised.all) };
  const other = { open: open - without.open, all: count - without.all };
  return [
    ...row("other", vocabularyName("category", "Other", t), other),
    ...row("", t("market.notStatedAlone"), without),
  ];
}

/** How many of the listed tenders a figure leaves out. */
export function uncertainOf(listed: number | undefined, counted: number): number {
  return Math.max(0, (listed ?? counted) - counted);
}
