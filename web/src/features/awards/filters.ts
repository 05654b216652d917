// The filters of the page of awards. They are in its address.

const TEXT_FILTERS = [
  "search",
  "buyer",
  "body",
  "winner",
  "year",
  "currency",
  "minAmount",
  "maxAmount",
] as const;

type TextFilter = (typeof TEXT_FILTERS)[number];

/** All filters are texts. `buyer` is the slug of a body, `body` a part of its name. */
export type AwardFilters = Record<TextFilter, string> & { page: number };

/** The currencies that the decisions use. */
export const CURRENCIES = ["LKR", "USD", "EUR", "JPY"] as const;

/** The number of awards per page. */
const PAGE_SIZE = 20;

export function readFilters(parameters: URLSearchParams): AwardFilters {
  const text = (name: TextFilter) => (parameters.get(name) ?? "").trim();
  const page = Number(parameters.get("page") ?? "1");
  return {
    search: text("search"),
    buyer: text("buyer"),
    body: text("body"),
    winner: text("winner"),
    year: text("year"),
    currency: text("currency"),
    minAmount: text("minAmount"),
    maxAmount: text("maxAmount"),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

export function writeFilters(filters: AwardFilters): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const name of TEXT_FILTERS) {
    if (filters[name] !== "") parameters.set(name, filters[name]);
  }
  if (filters.page > 1) parameters.set("page", String(filters.page));
  return parameters;
}

/** Whether a filter other than the page is set. */
export function isFiltered(filters: AwardFilters): boolean {
  return chosenFilters(filters).length > 0;
}

/** The filters that are set, in the order of the form. */
export function chosenFilters(filters: AwardFilters): TextFilter[] {
  return TEXT_FILTERS.filter((name) => filters[name] !== "");
}

/** Whether a filter is set that is seldom used: neither words to search for nor a body nor a winner. */
export function hasRareFilters(filters: AwardFilters): boolean {
  return chosenFilters(filters).some((name) => !["search", "buyer", "body", "winner"].includes(name));
}

/** A number as people type it, `12,500,000`; `undefined` if it is none. */
function numberOf(text: string): number | undefined {
  const plain = text.replace(/[,\s]/g, "");
  return /^\d{1,14}(\.\d{1,2})?$/.test(plain) ? Number(plain) : undefined;
}

/** The query of the API. What is not a number is left out. */
export function toQuery(filters: AwardFilters) {
  const year = numberOf(filters.year);
  const [minAmount, maxAmount] = [numberOf(filters.minAmount), numberOf(filters.maxAmount)];
  return {
    page: filters.page,
    limit: PAGE_SIZE,
    ...(filters.search && { search: filters.search }),
    ...(filters.buyer && { buyer: filters.buyer }),
    ...(filters.body && { body: filters.body }),
    ...(filters.winner && { winner: filters.winner }),
    ...(year !== undefined && { year }),
    ...(/^[A-Z]{3}$/.test(filters.currency) && { currency: filters.currency }),
    ...(minAmount !== undefined && { minAmount }),
    ...(maxAmount !== undefined && { maxAmount }),
  };
}
