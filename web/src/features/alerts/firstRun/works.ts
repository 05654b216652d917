// The kinds of work that the first questions offer. Each is a keyword of the alert.

import type { Sector } from "@/shared/tender/vocabulary.ts";

export const WORKS = [
  { key: "road", sector: "construction", term: "road" },
  { key: "building", sector: "construction", term: "building" },
  { key: "bridge", sector: "construction", term: "bridge" },
  { key: "drainage", sector: "construction", term: "drain" },
  { key: "irrigation", sector: "construction", term: "irrigation" },
  { key: "waterSupply", sector: "construction", term: "water supply" },
  { key: "computer", sector: "it", term: "computer" },
  { key: "software", sector: "it", term: "software" },
  { key: "network", sector: "it", term: "network" },
  { key: "registration", sector: "registration", term: "registration of suppliers" },
  { key: "repair", sector: "upkeep", term: "repair" },
  { key: "maintenance", sector: "upkeep", term: "maintenance" },
  { key: "consultancy", sector: "consultancy", term: "consultan" },
  { key: "survey", sector: "consultancy", term: "survey" },
  { key: "furniture", sector: "supply", term: "furniture" },
  { key: "medical", sector: "supply", term: "medical" },
  { key: "vehicle", sector: "supply", term: "vehicle" },
  { key: "stationery", sector: "supply", term: "stationery" },
  { key: "security", sector: "services", term: "security service" },
  { key: "cleaning", sector: "services", term: "cleaning" },
  { key: "catering", sector: "services", term: "catering" },
] as const satisfies readonly { key: string; sector: Sector; term: string }[];

export type Work = (typeof WORKS)[number];
