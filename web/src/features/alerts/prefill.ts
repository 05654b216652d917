// Prefills the form of a new alert from the filters of the listing, which the address carries.

import { parseEnum } from "@/api/enums.ts";
import { type Choice, listChoices, readFilters } from "@/shared/tender/filters.ts";
import {
  BODY_PARAMETER,
  isNewAlertQuery,
  KEYWORD_SEPARATOR,
  KEYWORDS_PARAMETER,
} from "@/shared/tender/newAlertPath.ts";
import {
  ALL_DISTRICTS,
  CATEGORIES,
  ORGANIZATION_TYPES,
  PROVINCES,
  SECTORS,
} from "@/shared/tender/vocabulary.ts";
import { type AlertForm, MAX_KEYWORDS, newAlert } from "./form.ts";

const MAX_KEYWORD_LENGTH = 50;
const MAX_NAME_LENGTH = 100;
const MAX_TOPICS = 10;
const MAX_BODIES = 20;
const MAX_BODY_LENGTH = 200;

/** The filters of the listing that an alert has too. */
const ALERT_FILTERS: readonly Choice["name"][] = [
  "sectors",
  "categories",
  "organizationTypes",
  "organizations",
  "provinces",
  "districts",
  "minValue",
  "maxValue",
];

/** The chosen values of a filter. Any that are not among `values` are dropped. */
function parseValues<Value extends string>(
  values: readonly Value[],
  chosen: readonly string[] = [],
): Value[] {
  return chosen.map((value) => parseEnum(values, value)).filter((value) => value !== null);
}

/** The keywords in the address: the search text as one, and the words. */
function readKeywords(parameters: URLSearchParams, search: string): string[] {
  const words = (parameters.get(KEYWORDS_PARAMETER) ?? "").split(KEYWORD_SEPARATOR);
  const terms = [search, ...words].map((term) => term.trim().slice(0, MAX_KEYWORD_LENGTH)).filter(Boolean);
  return [...new Set(terms)].slice(0, MAX_KEYWORDS);
}

/** The bodies in the address, and the organisations of the listing's filter. */
function readBodies(parameters: URLSearchParams, organizations: readonly string[] = []): string[] {
  const names = [...parameters.getAll(BODY_PARAMETER), ...organizations].map((name) => name.trim());
  const valid = names.filter((name) => name.length <= MAX_BODY_LENGTH && /[\p{L}\p{N}]/u.test(name));
  return [...new Set(valid)].slice(0, MAX_BODIES);
}

/** The form that the address prefills. `null` if the address does not request a new alert. */
export function prefilledAlert(parameters: URLSearchParams): AlertForm | null {
  if (!isNewAlertQuery(parameters)) return null;
  const { search, category, advanced } = readFilters(parameters);
  const topics = [
    ...(category ? [category] : []),
    ...parseValues(SECTORS, advanced.sectors),
    ...parseValues(CATEGORIES, advanced.categories),
  ];
  const keywords = readKeywords(parameters, search);
  const bodies = readBodies(parameters, advanced.organizations);
  return {
    ...newAlert,
    name: (keywords.length > 0 ? keywords : bodies).join(", ").slice(0, MAX_NAME_LENGTH),
    keywords: (keywords.length > 0 ? keywords : [""]).map((term) => ({ term, matchType: "contains" })),
    categories: topics.slice(0, MAX_TOPICS),
    minValue: advanced.minValue ?? "",
    maxValue: advanced.maxValue ?? "",
    bodies,
    organizationTypes: parseValues(ORGANIZATION_TYPES, advanced.organizationTypes),
    provinces: parseValues(PROVINCES, advanced.provinces),
    districts: parseValues(ALL_DISTRICTS, advanced.districts),
  };
}

/** The filters of the listing in the address that alerts don't have. */
export function droppedFilters(parameters: URLSearchParams): Choice[] {
  const { advanced } = readFilters(parameters);
  return listChoices(advanced).filter(({ name }) => !ALERT_FILTERS.includes(name));
}
