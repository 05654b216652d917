import { expect, it } from "vitest";
import type { Bid, BidStage } from "@/api/types.ts";
import { bidsIn, placed, placementOfKey, staysInPlace } from "./board.ts";

const bid = (id: string, stage: BidStage) => ({ _id: id, stage, version: 1 }) as Bid;

const board = [
  bid("a", "considering"),
  bid("b", "considering"),
  bid("c", "considering"),
  bid("d", "preparing"),
  bid("e", "lost"),
];

const ids = (bids: readonly Bid[], stage: BidStage) =>
  bidsIn(bids, stage)
    .map(({ _id }) => _id)
    .join("");

it.each([
  ["c", "considering", "a", "cab"],
  ["a", "considering", null, "bca"],
  ["a", "considering", "c", "bac"],
  ["d", "considering", "b", "adbc"],
  ["d", "considering", "unknown", "abcd"],
] as const)("places %s in %s before %s", (id, stage, before, expected) => {
  expect(ids(placed(board, id, { stage, before }), stage)).toBe(expected);
});

it("puts a closed bid first, wherever it was dropped", () => {
  expect(ids(placed(board, "a", { stage: "lost", before: null }), "lost")).toBe("ae");
});

it("leaves the board as it is if the bid is gone", () => {
  expect(placed(board, "x", { stage: "won", before: null })).toEqual(board);
});

it.each([
  ["a", "ArrowUp", null],
  ["a", "ArrowDown", { stage: "considering", before: "c" }],
  ["b", "ArrowDown", { stage: "considering", before: null }],
  ["c", "ArrowDown", null],
  ["c", "ArrowUp", { stage: "considering", before: "b" }],
  ["a", "ArrowLeft", null],
  ["a", "ArrowRight", { stage: "preparing", before: "d" }],
  ["d", "ArrowRight", { stage: "submitted", before: null }],
  ["e", "ArrowUp", null],
  ["e", "ArrowLeft", { stage: "won", before: null }],
] as const)("moves %s with %s", (id, key, expected) => {
  const moved = board.find((one) => one._id === id) as Bid;
  expect(placementOfKey(board, moved, key)).toEqual(expected);
});

it.each([
  ["a", "considering", "b", true],
  ["a", "considering", "a", true],
  ["a", "considering", "c", false],
  ["c", "considering", null, true],
  ["e", "lost", null, true],
  ["a", "preparing", "b", false],
] as const)("knows whether %s stays in place in %s before %s", (id, stage, before, expected) => {
  const moved = board.find((one) => one._id === id) as Bid;
  expect(staysInPlace(board, moved, { stage, before })).toBe(expected);
});
