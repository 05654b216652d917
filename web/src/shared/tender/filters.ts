// The filters of the listing. The page's address stores them. There are two quick filters: a search
// by sector and text, and a stat card. The two exclude each other. The districts, the switch that
// hides closed tenders and the advanced search are combined with either of them.

import { parseEnum } from "@/api/enums.ts";
import { SECTORS, type Sector } from "./vocabulary.ts";

const STAT_FILTERS = ["today", "live", "closed"] as const;

/** A stat card that filters the list. */
export type StatFilter = (typeof STAT_FILTERS)[number];

export const PAGE_SIZE = 10;

const MAX_TEXT_LENGTH = 200;
const MAX_PAGE = 10_000;

/** The list filters of the advanced search, as the page's address and the API name them. */
const LIST_NAMES = [
  "sectors",
  "categories",
  "kinds",
  "organizationTypes",
  "provinces",
  "districts",
  "grades",
  "languages",
  "organizations",
  "publications",
] as const;

export type ListName = (typeof LIST_NAMES)[number];

/** The range filters: days such as 2026-11-20, and values in millions of rupees. */
const BOUND_NAMES = [
  "closingFrom",
  "closingUntil",
  "publishedFrom",
  "publishedUntil",
  "minValue",
  "maxValue",
] as const;

export type BoundName = (typeof BOUND_NAMES)[number];

/**
 * The filters of the advanced search. Values within a list are alternatives; different filters are
 * combined.
 */
export type AdvancedFilters = Partial<Record<ListName, string[]>> & Partial<Record<BoundName, string>>;

export const SORTS = ["best", "newest", "closing", "value"] as const;

/** The sort order. With `best`, a search is sorted by relevance, any other list by newest first. */
export type Sort = (typeof SORTS)[number];

export interface Filters {
  /** A sector; `null` for all. */
  category: Sector | null;
  search: string;
  show: StatFilter | null;
  /** Whether closed tenders are hidden. A stat card takes precedence. */
  hideClosed: boolean;
  /** Whether to leave out tenders for which the user's company lacks something. */
  mayBid: boolean;
  /** The lists and ranges. Everybody may use the districts; the others need the advanced search. */
  advanced: AdvancedFilters;
  sort: Sort;
  /** Starts at 1. */
  page: number;
}

export const noFilters: Filters = {
  category: null,
  search: "",
  show: null,
  hideClosed: false,
  mayBid: false,
  advanced: {},
  sort: "best",
  page: 1,
};

/** Stands between the values of a list in the address. */
export const SEPARATOR = "|";
const MAX_CHOICES = 50;
const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;
const MILLIONS_PATTERN = /^\d{1,9}(\.\d{1,3})?$/;

/** Replaces control characters by spaces and cuts the text to the server's limit. */
function normaliseText(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_TEXT_LENGTH);
}

function readAdvanced(parameters: URLSearchParams): AdvancedFilters {
  const advanced: AdvancedFilters = {};
  for (const name of LIST_NAMES) {
    const choices = (parameters.get(name) ?? "").split(SEPARATOR).map(normaliseText).filter(Boolean);
    if (choices.length > 0) advanced[name] = [...new Set(choices)].slice(0, MAX_CHOICES);
  }
  for (const name of BOUND_NAMES) {
    const bound = parameters.get(name) ?? "";
    if ((name.endsWith("Value") ? MILLIONS_PATTERN : DAY_PATTERN).test(bound)) advanced[name] = bound;
  }
  return advanced;
}

function writeAdvanced(advanced: AdvancedFilters): Partial<Record<ListName | BoundName, string>> {
  const written: Partial<Record<ListName | BoundName, string>> = {};
  for (const name of LIST_NAMES) {
    const choices = advanced[name];
    if (choices && choices.length > 0) written[name] = choices.join(SEPARATOR);
  }
  for (const name of BOUND_NAMES) if (advanced[name]) written[name] = advanced[name];
  return written;
}

/**
 * Reads the filters from the address and ignores invalid parameters. A stat card takes precedence
 * over the search bar.
 */
export function readFilters(parameters: URLSearchParams): Filters {
  const number = Number(parameters.get("page") ?? "1");
  const page = Number.isInteger(number) && number >= 1 && number <= MAX_PAGE ? number : 1;
  const show = parseEnum(STAT_FILTERS, parameters.get("show"));
  const common = {
    advanced: readAdvanced(parameters),
    sort: parseEnum(SORTS, parameters.get("sort")) ?? noFilters.sort,
    hideClosed: parameters.get("hideClosed") === "true",
    mayBid: parameters.get("mayBid") === "true",
    page,
  };
  if (show) return { ...noFilters, ...common, show };
  return {
    ...noFilters,
    ...common,
    category: parseEnum(SECTORS, parameters.get("category")),
    search: normaliseText(parameters.get("search") ?? ""),
  };
}

/** Returns the parameters of the address. Unset filters are omitted. */
export function writeFilters(filters: Filters): URLSearchParams {
  const { category, search, show, hideClosed, mayBid, advanced, sort, page } = filters;
  const parameters = new URLSearchParams();
  if (category) parameters.set("category", category);
  if (search !== "") parameters.set("search", search);
  if (show) parameters.set("show", show);
  if (hideClosed) parameters.set("hideClosed", "true");
  if (mayBid) parameters.set("mayBid", "true");
  for (const [name, value] of Object.entries(writeAdvanced(advanced))) parameters.set(name, value);
  if (sort !== noFilters.sort) parameters.set("sort", sort);
  if (page > 1) parameters.set("page", String(page));
  return parameters;
}

/**
 * Returns the query parameters of the API calls about these filters. Unset filters are omitted, and so is
 * `mayBid`, which only the list itself can filter by.
 */
export function toQuery({ category, search, show, hideClosed, advanced, sort, page }: Filters) {
  return {
    page,
    limit: PAGE_SIZE,
    ...writeAdvanced(advanced),
    ...(sort !== noFilters.sort && { sort }),
    ...(category && { category }),
    ...(search !== "" && { search }),
    ...(show === "today" && { publishedToday: true }),
    ...(show === "live" && { isLive: true }),
    ...(show === "closed" && { isClosed: true }),
    ...(hideClosed && show === null && { hideClosed: true }),
  };
}

/** The answers to "May I bid?" with which nothing is known to be missing. */
const POSSIBLE_BIDS = "can-bid|not-certain|not-stated";

/** Returns the query parameters of the list. */
export function toListQuery(filters: Filters) {
  return { ...toQuery(filters), ...(filters.mayBid && { bidAnswers: POSSIBLE_BIDS }) };
}

/** Returns the API's query string without page and limit, for saved searches and feeds. */
export function toSearchQuery(filters: Filters): string {
  const { page: _, limit: __, ...query } = toQuery(filters);
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
}

/** Reads the filters from a query string that `toSearchQuery` returned. */
export function fromSearchQuery(search: string): Filters {
  const query = new URLSearchParams(search);
  const cards = { today: "publishedToday", live: "isLive", closed: "isClosed" } as const;
  const show = STAT_FILTERS.find((show) => query.get(cards[show]) === "true");
  if (show) query.set("show", show);
  return readFilters(query);
}

/** Whether any filter is set. */
export function isFiltered(filters: Filters): boolean {
  return (
    hasQuickFilter(filters) ||
    filters.hideClosed ||
    filters.mayBid ||
    listChoices(filters.advanced).length > 0
  );
}

/** Whether a quick filter is set: a sector, a text, or a stat card. */
export function hasQuickFilter({ category, search, show }: Filters): boolean {
  return category !== null || search !== "" || show !== null;
}

/** One value of the advanced search. */
export interface Choice {
  name: ListName | BoundName;
  value: string;
}

/** All values of the advanced search: those of the lists first, then those of the ranges. */
export function listChoices(advanced: AdvancedFilters): Choice[] {
  const lists = LIST_NAMES.flatMap((name) => (advanced[name] ?? []).map((value) => ({ name, value })));
  const bounds = BOUND_NAMES.flatMap((name) => {
    const value = advanced[name];
    return value ? [{ name, value }] : [];
  });
  return [...lists, ...bounds];
}

function isList(name: ListName | BoundName): name is ListName {
  return LIST_NAMES.some((list) => list === name);
}

/** Removes a value. A value that is missing from its list is added instead. */
export function toggleChoice(advanced: AdvancedFilters, { name, value }: Choice): AdvancedFilters {
  if (!isList(name)) return { ...advanced, [name]: undefined };
  const before = advanced[name] ?? [];
  const after = before.includes(value) ? before.filter((other) => other !== value) : [...before, value];
  return { ...advanced, [name]: after.length > 0 ? after : undefined };
}

/** The filters that a new quick filter keeps: the districts and the two switches. */
export function keepBasicFilters({ advanced: { districts }, hideClosed, mayBid }: Filters): Filters {
  return { ...noFilters, hideClosed, mayBid, advanced: districts ? { districts } : {} };
}
