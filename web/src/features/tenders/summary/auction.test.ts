import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { isAuction } from "./auction.ts";

const auction = {
  kind: "sale",
  evidence: { "dates.closing": { text: "9 December 2026 commencing at 1500 hrs" } },
  fullTextMarkdown: "## PUBLIC AUCTION",
} as unknown as Tender;

it("knows an auction by its beginning", () => {
  expect(isAuction(auction)).toBe(true);
  expect(isAuction({ ...auction, kind: "purchase" })).toBe(false);
  expect(isAuction({ ...auction, fullTextMarkdown: "## SALE BY TENDER" })).toBe(false);
  expect(isAuction({ ...auction, evidence: {} })).toBe(false);
});
