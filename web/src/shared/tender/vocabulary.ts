// The words that the form offers: the specification's lists, held to the contract's by their types.

import type { components } from "@/api/schema.gen.ts";

type Schemas = components["schemas"];

export type Category = Schemas["Category"];
export type Province = Schemas["Province"];
export type District = Schemas["District"];

/** Every member of `Union`, each once: a word that the contract adds is missed here by the compiler. */
function all<Union extends string>() {
  return <const Words extends readonly Union[]>(
    ...words: [Union] extends [Words[number]] ? Words : never
  ): readonly Union[] => words;
}

export const CATEGORIES = all<Category>()(
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

export const ORGANIZATION_TYPES = all<Schemas["OrganizationType"]>()(
  "government",
  "semi-government",
  "private",
  "ngo",
);

export const PRIORITIES = all<Schemas["Priority"]>()("low", "medium", "high", "urgent");

export const VISIBILITIES = all<Schemas["Visibility"]>()("public", "registered", "premium");

export const CURRENCIES = ["LKR", "USD", "EUR"] as const;

/** The provinces and the districts of each. */
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

/** The districts of a province as it stands in the form; none where none is chosen. */
export function districtsOf(province: string): readonly District[] {
  return Object.hasOwn(DISTRICTS, province) ? DISTRICTS[province as Province] : [];
}
