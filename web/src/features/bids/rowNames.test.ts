import { expect, it } from "vitest";
import type { BidChecklistRow } from "@/api/types.ts";
import { rowNames } from "./rowNames.ts";

it("knows a row by its title and its kind in every language", () => {
  const derived = { kind: "buy-documents", basis: "notice", amount: 5000, currency: "LKR" };
  const names = rowNames({ derived } as BidChecklistRow, "Roof repairs");
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
  expect(new Set(rowNames({ own } as BidChecklistRow, "Roof repairs"))).toEqual(new Set(["Ask the bank"]));
});
