import { expect, it } from "vitest";
import type { BidChecklistRow } from "@/api/types.ts";
import type { RowContext } from "./checklistText.ts";
import { rowNames } from "./rowNames.ts";

const context = { bid: { tender: { title: "Roof repairs" } }, notice: null } as RowContext;

it("knows a row by its title and its kind in every language", () => {
  const derived = { kind: "buy-documents", basis: "notice", amount: 5000, currency: "LKR" };
  const names = rowNames({ derived } as BidChecklistRow, context);
  expect(names).toEqual([
    "Buy the bidding documents: LKR 5,000",
    "Buy the bidding documents",
    "ලංසු ලේඛන මිලදී ගන්න: LKR 5,000",
    "ලංසු ලේඛන මිලදී ගන්න",
    "விலைமனு ஆவணங்களை வாங்கு: LKR 5,000",
    "விலைமனு ஆவணங்களை வாங்கு",
  ]);
});

it("knows a row of the board by its own title", () => {
  const own = { _id: "r", title: "Ask the bank" };
  expect(new Set(rowNames({ own } as BidChecklistRow, context))).toEqual(new Set(["Ask the bank"]));
});

it("knows the row of a registration with and without its field of work", () => {
  const row = { derived: { kind: "cida", basis: "notice", text: "C6" } } as BidChecklistRow;
  const notice = { cida: [{ grade: "C6", field: "Irrigation" }] } as RowContext["notice"];
  const english = rowNames(row, { ...context, notice }).slice(0, 3);
  expect(english).toEqual([
    "CIDA registration, copy: C6 (Irrigation)",
    "CIDA registration, copy: C6",
    "CIDA registration, copy",
  ]);
});

it("knows the bid security by its share of the bid, whatever the value is", () => {
  const row = { derived: { kind: "bid-security", basis: "notice", percentage: 1 } } as BidChecklistRow;
  const bid = { ...context.bid, value: 900_000 };
  expect(rowNames(row, { ...context, bid })).toContain("Bid security: 1% of the bid");
});
