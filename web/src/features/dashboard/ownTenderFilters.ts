// The filters of a supplier's own tenders, as the address contains them.

import { parseEnum } from "@/api/enums.ts";
import { SECTORS, type Sector } from "@/shared/tender/vocabulary.ts";

export const STATUS_FILTERS = ["live", "draft", "closed"] as const;

/** A status by which the list can be filtered. */
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export interface OwnTenderFilters {
  show: StatusFilter | null;
  category: Sector | null;
  search: string;
  /** Starts at 1. */
  page: number;
}

export const PAGE_SIZE = 50;
const MAX_PAGE = 10_000;
const MAX_SEARCH_LENGTH = 200;

/** Reads the filters from the address and ignores invalid parameters. */
export function readFilters(parameters: URLSearchParams): OwnTenderFilters {
  const page = Number(parameters.get("page") ?? "1");
  return {
    show: parseEnum(STATUS_FILTERS, parameters.get("show")),
    category: parseEnum(SECTORS, parameters.get("category")),
    search: (parameters.get("search") ?? "")
      .replaceAll(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, MAX_SEARCH_LENGTH),
    page: Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
  };
}

/** The query parameters for the address. Unset filters and the first page are left out. */
export function writeFilters({ show, category, search, page }: OwnTenderFilters): URLSearchParams {
  const parameters = new URLSearchParams();
  if (show) parameters.set("show", show);
  if (category) parameters.set("category", category);
  if (search !== "") parameters.set("search", search);
  if (page > 1) parameters.set("page", String(page));
  return parameters;
}

/** The query parameters of the API request. Unset filters are left out. */
export function toQuery({ show, category, search, page }: OwnTenderFilters) {
  return {
    page,
    limit: PAGE_SIZE,
    ...(category && { category }),
    ...(search !== "" && { search }),
    ...(show === "live" && { isLive: true }),
    ...(show === "draft" && { isDraft: true }),
    ...(show === "closed" && { isClosed: true }),
  };
}

/** Whether any filter is set. The page does not count as a filter. */
export function isFiltered({ show, category, search }: OwnTenderFilters): boolean {
  return show !== null || category !== null || search !== "";
}
