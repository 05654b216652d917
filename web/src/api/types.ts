// The contract's types under short names. Everything comes from `schema.gen.ts`; nothing is declared here.

import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];

/** A tender as it is sent. */
export type Tender = Schemas["TenderView"];

/** What is left of a tender that is locked to its reader. */
export type LockedTender = Schemas["LockedTender"];

export function isLocked(tender: Tender | LockedTender): tender is LockedTender {
  return "locked" in tender;
}

export type Stats = Schemas["TenderStats"];
/** A page of the listing, but for its tenders. */
export type TenderPage = Omit<Schemas["TenderList"], "tenders">;
export type Facets = Schemas["TenderFacets"];
export type Passage = Schemas["Passage"];
export type Suggestion = Schemas["SuggestedSearch"];
export type Pagination = Schemas["Pagination"];
export type User = Schemas["User"];
export type Role = User["role"];
export type Health = Schemas["Health"];

export type Plan = Schemas["Plan"];
export type PlanName = Schemas["PlanName"];
export type TenderStatus = Schemas["TenderStatus"];

/** A message that told of a tender. */
export type TracedDelivery = Schemas["TracedDelivery"];

/** Where alerts go besides mail. */
type Channels = Schemas["Channels"];
export type Phone = NonNullable<Channels["phone"]>;
export type Webhook = NonNullable<Channels["webhook"]>;

/** A key that the user's programs call with. */
export type ApiKey = Schemas["ApiKey"];
export type KeyScope = Schemas["KeyScope"];
