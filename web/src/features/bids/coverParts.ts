// The parts of the cover page: the papers that go into the bid, the steps before its delivery, and conditions
// that nobody ticks.

import type { BidChecklistRow } from "@/api/types.ts";
import type { ToDo } from "./toDo.ts";

type RowKind = NonNullable<BidChecklistRow["derived"]>["kind"];

/** A part of the cover page. */
export type CoverPart = "papers" | "steps" | "conditions";

const PARTS = {
  "bid-security": "papers",
  "lot-security": "papers",
  cida: "papers",
  "contracts-act": "papers",
  turnover: "papers",
  experience: "papers",
  document: "papers",
  "business-registration": "papers",
  vat: "papers",
  "form-of-bid": "papers",
  "price-schedule": "papers",
  "power-of-attorney": "papers",
  "buy-documents": "steps",
  "pre-bid": "steps",
  copies: "steps",
  "two-envelopes": "steps",
  "envelope-marked": "steps",
  "electronic-account": "steps",
  deliver: "steps",
  criterion: "conditions",
} satisfies Record<RowKind, CoverPart>;

/** The part to which something belongs. The users' own rows and tasks are steps. */
export function coverPartOf(item: ToDo): CoverPart {
  const kind = item.kind === "row" ? item.row.derived?.kind : undefined;
  return kind ? PARTS[kind] : "steps";
}
