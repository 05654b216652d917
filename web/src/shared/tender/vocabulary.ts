// The values that forms and filters offer.

import { enumValues } from "@/api/enums.ts";
import type { components } from "@/api/schema.gen.ts";

type Schemas = components["schemas"];

export type Category = Schemas["Category"];
export type Province = Schemas["Province"];
export type District = Schemas["District"];

export const CATEGORIES = enumValues<Category>()(
  "Construction",
  "Computers & Laptops",
  "Computer & IT",
  "Upkeep/Repair",
  "Medical Equipment",
  "Office Supplies",
  "Vehicles",
  "Furniture",
  "Consultancy Services",
  "Engineering Services",
  "Security Services",
  "Catering Services",
  "Cleaning Services",
  "Other",
);

/** A sector groups categories. The listing and alerts filter by it. */
export type Sector = Exclude<Schemas["Topic"], Category>;

/** The sectors in the order of the search bar. */
export const SECTORS = enumValues<Sector>()(
  "construction",
  "it",
  "registration",
  "upkeep",
  "consultancy",
  "supply",
  "services",
);

/** The sector of each category. `Other` belongs to none. */
const SECTOR_OF: Record<Category, Sector | null> = {
  Construction: "construction",
  "Engineering Services": "construction",
  "Computers & Laptops": "it",
  "Computer & IT": "it",
  "Upkeep/Repair": "upkeep",
  "Consultancy Services": "consultancy",
  "Medical Equipment": "supply",
  "Office Supplies": "supply",
  Vehicles: "supply",
  Furniture: "supply",
  "Security Services": "services",
  "Catering Services": "services",
  "Cleaning Services": "services",
  Other: null,
};

/** Whether a category says what is bought. `Other` does not. */
export function isSpecific(category: Category | null | undefined): category is Category {
  return category != null && category !== "Other";
}

/** The sector of a tender. Registrations are a sector of their own. */
export function sectorOf({
  kind,
  category,
}: {
  kind?: Schemas["Kind"];
  category?: Category | null | undefined;
}): Sector | null {
  if (kind === "registration") return "registration";
  return category ? SECTOR_OF[category] : null;
}

export type Topic = Schemas["Topic"];

/** What an alert can be about: a sector or one of its categories. */
export const TOPICS: readonly Topic[] = [...SECTORS, ...CATEGORIES];

/** What a notice announces. */
export const KINDS = enumValues<Schemas["Kind"]>()(
  "purchase",
  "registration",
  "expression-of-interest",
  "sale",
  "corrigendum",
  "award",
);

export const ORGANIZATION_TYPES = enumValues<Schemas["OrganizationType"]>()(
  "government",
  "semi-government",
  "private",
  "ngo",
);

export const PRIORITIES = enumValues<Schemas["Priority"]>()("low", "medium", "high", "urgent");

export const VISIBILITIES = enumValues<Schemas["Visibility"]>()("public", "registered", "premium");

/** The methods of submission that publishers choose from. */
export const SUBMISSION_METHODS = enumValues<Schemas["SubmissionMethod"]>()(
  "sealed-envelope",
  "two-envelopes",
  "electronic",
  "post",
  "tender-box",
);

/** The procurement methods that publishers choose from. Printed notices may have others. */
export const METHODS = ["NCB", "ICB", "LNB", "LIB", "shopping"] as const;

export const CURRENCIES = enumValues<Schemas["AlertCurrency"]>()("LKR", "USD", "EUR");

/** The districts of each province. */
export const DISTRICTS: Record<Province, readonly District[]> = {
  Western: ["Colombo", "Gampaha", "Kalutara"],
  Central: ["Kandy", "Matale", "Nuwara Eliya"],
  Southern: ["Galle", "Matara", "Hambantota"],
  Northern: ["Jaffna", "Kilinochchi", "Mannar", "Vavuniya", "Mullaitivu"],
  Eastern: ["Trincomalee", "Batticaloa", "Ampara"],
  "North Western": ["Kurunegala", "Puttalam"],
  "North Central": ["Anuradhapura", "Polonnaruwa"],
  Uva: ["Badulla", "Moneragala"],
  Sabaragamuwa: ["Ratnapura", "Kegalle"],
};

export const PROVINCES = Object.keys(DISTRICTS) as Province[];

export const ALL_DISTRICTS = Object.values(DISTRICTS).flat();

/** The districts of a province that was chosen in a form; none if no province was chosen. */
export function districtsOf(province: string): readonly District[] {
  return Object.hasOwn(DISTRICTS, province) ? DISTRICTS[province as Province] : [];
}
