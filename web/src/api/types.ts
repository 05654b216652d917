// The contract's types under short names. Everything comes from `schema.gen.ts`; nothing is declared here.

import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];

export type Tender = Schemas["TenderView"];
export type Stats = Schemas["Stats"];
export type CountOf = Schemas["CountOf"];
export type Pagination = Schemas["Pagination"];
export type User = Schemas["UserView"];
export type Role = User["role"];
export type Health = Schemas["Health"];
