import { expect, it } from "vitest";
import type { Bid, BidStage, Tender } from "@/api/types.ts";
import { type Closing, chooseClosings, MAX_NEXT, withAnswers } from "./closings.ts";

const now = Date.parse("2026-11-21T09:00:00+05:30");

const closingOn = (day: number | null) => (day === null ? null : `2026-11-${day}T14:00:00+05:30`);

function tender(_id: string, day: number | null, status = "published"): Tender {
  return { _id, status, dates: { closing: closingOn(day) } } as Tender;
}

function bid(_id: string, day: number | null, stage: BidStage, status = "published"): Bid {
  return { stage, tender: { _id, status, closing: closingOn(day) } } as Bid;
}

const nameOf = (closing: Closing) =>
  closing.kind === "bid" ? `${closing.bid.tender._id} bid` : closing.tender._id;

const ids = (next: Tender[], bids: Bid[] = [], elsewhere: string[] = []) =>
  chooseClosings(bids, withAnswers(next), new Set(elsewhere), now).soon.map(nameOf);

it("lists tenders by closing time", () => {
  expect(ids([tender("soon", 22), tender("first", 21)])).toEqual(["first", "soon"]);
});

it("leaves out tenders that have closed, that are withdrawn, or without a closing time", () => {
  const closed = [tender("closed", 20), tender("withdrawn", 24, "withdrawn"), tender("open", null)];
  expect(ids([...closed, tender("next", 25)])).toEqual(["next"]);
});

it("leaves out what other lists of the page show", () => {
  const bids = [bid("week", 22, "preparing"), bid("later", 28, "preparing")];
  expect(ids([tender("saved", 23), tender("other", 24)], bids, ["week", "saved"])).toEqual([
    "other",
    "later bid",
  ]);
});

it("leaves out sales", () => {
  const sale = { ...tender("sale", 22), kind: "sale" } as Tender;
  expect(ids([sale, tender("next", 25)])).toEqual(["next"]);
});

it("lists bids in work and other tenders in one order, each tender once", () => {
  const bids = [bid("late", 28, "preparing"), bid("soon", 27, "considering")];
  expect(ids([tender("first", 21), tender("soon", 27)], bids)).toEqual(["first", "soon bid", "late bid"]);
});

it("leaves out bids that are decided or submitted", () => {
  const bids = [
    bid("closed", 20, "preparing"),
    bid("cancelled", 24, "preparing", "cancelled"),
    bid("undated", null, "considering"),
    bid("lost", 25, "lost"),
    bid("dropped", 25, "dropped"),
    bid("sent", 26, "submitted"),
  ];
  const next = [tender("lost", 25), tender("dropped", 25), tender("sent", 26), tender("other", 27)];
  expect(ids(next, bids)).toEqual(["other"]);
});

it("lists at most six, and the next of the bids in work that close later", () => {
  const next = [21, 22, 23, 24, 25, 26].map((day) => tender(`${day}`, day));
  const bids = [30, 29, 28, 27].map((day) => bid(`own ${day}`, day, "preparing"));
  const { soon, laterBids } = chooseClosings(bids, withAnswers(next), new Set(), now);
  expect(soon.map(nameOf)).toEqual(["21", "22", "23", "24", "25", "26"]);
  expect(laterBids.map(nameOf)).toEqual(["own 27 bid", "own 28 bid", "own 29 bid"]);
  const early = [bid("own", 23, "preparing")];
  expect(ids(next, early)).toContain("own bid");
});

it("takes no bid for the next to close where the list of tenders ends before it", () => {
  const next = Array.from({ length: MAX_NEXT }, (_, index) => tender(`saved ${index}`, 24));
  const elsewhere = new Set(next.map(({ _id }) => _id));
  const bids = [bid("own", 28, "preparing"), bid("sooner", 23, "preparing")];
  const { soon, laterBids } = chooseClosings(bids, withAnswers(next), elsewhere, now);
  expect(soon.map(nameOf)).toEqual(["sooner bid"]);
  expect(laterBids.map(nameOf)).toEqual(["own bid"]);
});

it("leaves out tenders whose documents are no longer sold", () => {
  const withSale = (one: Tender, saleUntil: string, fieldStates = {}) =>
    ({ ...one, documentFee: { saleUntil }, fieldStates }) as Tender;
  const over = [withSale(tender("over 22", 22), "2026-11-20"), withSale(tender("over 23", 23), "2026-11-20")];
  const others = [
    withSale(tender("last day", 24), "2026-11-21"),
    withSale(tender("doubtful", 25), "2026-11-20", { "documentFee.saleUntil": "doubtful" }),
    ...[26, 27, 28].map((day) => tender(`${day}`, day)),
  ];
  const sold = ["last day", "doubtful", "26", "27", "28"];
  expect(ids([...over, ...others])).toEqual(sold);
  expect(ids([...over, ...others, tender("29", 29)])).toEqual([...sold, "29"]);
  expect(ids([...over, ...others, tender("29", 29)], [bid("over 22", 22, "preparing")])).toEqual([
    "over 22 bid",
    ...sold,
  ]);
});
