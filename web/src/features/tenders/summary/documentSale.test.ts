import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { endedSale } from "./documentSale.ts";

const now = Date.parse("2026-11-29T09:00:00+05:30");
const open = {
  status: "published",
  dates: { closing: "2026-12-01T14:00:00+05:30" },
  documentFee: { saleUntil: "2026-11-27" },
};
const ended = (changes: object) => endedSale({ ...open, ...changes } as unknown as Tender, now);

it("is ended from the day after the last day", () => {
  expect(ended({})).toBe("2026-11-27");
  expect(ended({ documentFee: { saleUntil: "2026-11-29" } })).toBeNull();
  expect(ended({ dates: {} })).toBe("2026-11-27");
});

it.each([
  ["that does not state a last day", { documentFee: { amount: 500 } }],
  ["with a doubtful last day", { fieldStates: { "documentFee.saleUntil": "doubtful" } }],
  ["that is awarded", { status: "awarded" }],
  ["that has closed", { dates: { closing: "2026-11-28T14:00:00+05:30" } }],
])("is not told of a tender %s", (_, changes) => expect(ended(changes)).toBeNull());
