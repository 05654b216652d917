// The listing's filters and the page's address: the address is where they are kept. Quick filters exclude one another,
// as the specification says: the search bar (its category and text together), a sector, or one of the stat cards.

/** The categories of the search bar, in its order. */
export const SECTORS = [
  "construction",
  "it",
  "registration",
  "upkeep",
  "consultancy",
  "supply",
  "services",
] as const;

export type SectorValue = (typeof SECTORS)[number];

export const SHOWS = ["today", "live", "closed"] as const;

/** A stat card that narrows the list. */
export type Show = (typeof SHOWS)[number];

export const PAGE_SIZE = 10;

const MAX_TEXT = 200;
const MAX_PAGE = 10_000;

export interface Filters {
  /** A sector's value; `null` for all. */
  category: SectorValue | null;
  search: string;
  show: Show | null;
  /** From 1. */
  page: number;
}

export const everything: Filters = { category: null, search: "", show: null, page: 1 };

function oneOf<Item extends string>(items: readonly Item[], value: string | null): Item | null {
  return items.find((item) => item === value) ?? null;
}

/** One line without control characters, as long as the portal takes. */
function tidy(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_TEXT);
}

/** Reads the address. What is not understood is left out; a stat card wins over the search bar. */
export function readFilters(parameters: URLSearchParams): Filters {
  const number = Number(parameters.get("page") ?? "1");
  const page = Number.isInteger(number) && number >= 1 && number <= MAX_PAGE ? number : 1;
  const show = oneOf(SHOWS, parameters.get("show"));
  if (show) return { ...everything, show, page };
  return {
    ...everything,
    category: oneOf(SECTORS, parameters.get("category")),
    search: tidy(parameters.get("search") ?? ""),
    page,
  };
}

/** Writes the address, leaving out what is not set. */
export function writeFilters({ category, search, show, page }: Filters): URLSearchParams {
  const parameters = new URLSearchParams();
  if (category) parameters.set("category", category);
  if (search !== "") parameters.set("search", search);
  if (show) parameters.set("show", show);
  if (page > 1) parameters.set("page", String(page));
  return parameters;
}

/** The call's query; empty values are omitted. */
export function toQuery({ category, search, show, page }: Filters) {
  return {
    page,
    limit: PAGE_SIZE,
    ...(category && { category }),
    ...(search !== "" && { search }),
    ...(show === "today" && { publishedToday: true }),
    ...(show === "live" && { isLive: true }),
    ...(show === "closed" && { isClosed: true }),
  };
}

/** Whether anything narrows the list. */
export function isFiltered({ category, search, show }: Filters): boolean {
  return category !== null || search !== "" || show !== null;
}
