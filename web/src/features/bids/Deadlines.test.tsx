import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { details, inStage, kumari, open, server, startServer, withDelivery } from "./bidPageServer.tsx";

beforeEach(startServer);

it("shows the deadlines with warnings, and what the notice does not state", async () => {
  open();
  const ladder = await screen.findByRole("region", { name: "Deadlines" });
  expect(ladder).toHaveTextContent(
    "Offices are usually closed on the day before (Unduvap Full Moon Poya Day); the last open day before it is Tue 22 Dec 2026",
  );
  expect(ladder).toHaveTextContent("The counter closes at 2.00 p.m.");
  expect(ladder).toHaveTextContent("Not found in the notice: Bid security expires");
  expect(within(ladder).getAllByRole("listitem")).not.toHaveLength(0);
  expect(within(ladder).queryByText("Bid security expires")).toBeNull();
  const next = within(ladder).getAllByRole("listitem", { current: "step" });
  expect(next).toHaveLength(1);
  expect(next[0]).toHaveTextContent("Bids close");
});

it("names no counter if bids go into a tender box or the notice does not say how", async () => {
  for (const methods of [["sealed-envelope", "tender-box"], ["electronic"], []]) {
    server.shown = withDelivery(methods);
    const { unmount } = open();
    const ladder = await screen.findByRole("region", { name: "Deadlines" });
    expect(ladder).toHaveTextContent("2.00 p.m.");
    expect(ladder).not.toHaveTextContent("counter");
    unmount();
  }
});

it("names no counter that the notice does not name, or that is closed", async () => {
  const [, closing] = details.deadlines;
  const closed = { day: "2026-12-24", reason: "public", name: null };
  const checklist = details.checklist.map((row) =>
    row.key === "deliver" ? { ...row, derived: { ...row.derived, place: "Room 4" } } : row,
  );
  for (const changed of [
    { ...details, checklist },
    { ...details, deadlines: [{ ...closing, closed }] },
  ]) {
    server.shown = changed;
    const { unmount } = open();
    const ladder = await screen.findByRole("region", { name: "Deadlines" });
    expect(ladder).toHaveTextContent("2.00 p.m.");
    expect(ladder).not.toHaveTextContent("counter");
    unmount();
  }
});

it("does not warn on the closing day of the day before", async () => {
  open("a", "2026-12-24T08:00:00+05:30");
  const ladder = await screen.findByRole("region", { name: "Deadlines" });
  expect(ladder).toHaveTextContent("The counter closes at 2.00 p.m.");
  expect(ladder).not.toHaveTextContent("the day before");
});

it("counts no days down for a decided bid", async () => {
  server.shown = inStage("lost");
  open();
  const ladder = await screen.findByRole("region", { name: "Deadlines" });
  expect(ladder).toHaveTextContent("Thu 24 Dec 2026, 2.00 p.m.");
  expect(ladder).not.toHaveTextContent("Offices are closed");
  expect(within(ladder).queryByRole("listitem", { current: "step" })).toBeNull();
  expect(screen.queryByText(/^Closing in|^Closes today/)).toBeNull();
});

it("says from when the documents are sold and whom to ask, and takes another step until then", async () => {
  server.notice = {
    documentFee: { saleFrom: "2026-11-25", saleUntil: "2026-12-20" },
    organization: { contactPerson: { phone: "055-2399638" } },
  };
  server.shown = { ...details, tasks: [] };
  open();
  expect(await screen.findByText("Sold from Wed 25 Nov 2026")).toBeInTheDocument();
  expect(
    screen.getByText("Where they are sold: not found in the notice; ask 055-2399638"),
  ).toBeInTheDocument();
  const list = within(screen.getByRole("region", { name: "What is to be done" }));
  expect(list.getByRole("listitem", { current: "step" })).toHaveTextContent("Ask the bank");
});

it("takes no step before the purchase that is due after the sale begins", async () => {
  server.notice = { documentFee: { saleFrom: "2026-11-25", saleUntil: "2026-12-20" } };
  const meeting = {
    key: "m",
    kind: "pre-bid",
    basis: "notice",
    at: "2026-12-21T10:00:00+05:30",
    isDoubtful: false,
  };
  const [purchase] = details.checklist;
  server.shown = {
    ...details,
    checklist: [purchase, { key: "m", fingerprint: "0", derived: meeting, tick: null }],
    tasks: [],
  };
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  expect(list.getByRole("listitem", { current: "step" })).toHaveTextContent("Buy the bidding documents");
});

it("says that the documents are no longer sold, unless they are bought", async () => {
  open("a", "2026-12-21T08:00:00+05:30");
  expect(await screen.findByText("Documents no longer sold; last day Sun 20 Dec 2026")).toBeInTheDocument();
});

it("warns once of a day on which bids close and are opened", async () => {
  const closing = details.deadlines[1];
  server.shown = { ...details, deadlines: [closing, { ...closing, kind: "opening" }] };
  open();
  const ladder = within(await screen.findByRole("region", { name: "Deadlines" }));
  expect(ladder.getByText("Bids are opened")).toBeInTheDocument();
  expect(ladder.getAllByText(/^Offices are usually closed on the day before/)).toHaveLength(1);
});

it("does not hurry who has bought the documents", async () => {
  const saleEnds = { ...details.deadlines[0], at: "2026-12-20T23:59:59+05:30" };
  const [bought, ...others] = details.checklist;
  const tick = { at: "2026-11-20T12:00:00+05:30", by: kumari };
  server.shown = { ...details, deadlines: [saleEnds], checklist: [{ ...bought, tick }, ...others] };
  open("a", "2026-12-20T08:00:00+05:30");
  const ladder = within(await screen.findByRole("region", { name: "Deadlines" }));
  expect(ladder.queryByText("today")).toBeNull();
  expect(ladder.getByText("Documents bought")).toBeInTheDocument();
  expect(ladder.queryByRole("listitem", { current: "step" })).toBeNull();
  expect(screen.queryByText("The last day is today")).toBeNull();
});

it.each([
  ["submitted", "What comes next"],
  ["preparing", "Deadlines"],
])("says of a closing without an hour that none is stated, for a bid that is %s", async (stage, name) => {
  const closing = { ...details.deadlines[1], at: "2026-12-24T23:59:59+05:30", hasHour: false };
  server.shown = { ...inStage(stage), deadlines: [closing] };
  open();
  const part = within(await screen.findByRole("region", { name }));
  expect(part.getByText("Thu 24 Dec 2026, hour not stated")).toBeInTheDocument();
});

it.each([
  ["newspaper", "No hour was found in the notice"],
  ["organisation", "The publisher states no hour"],
])("does not claim that a tender of a %s has an hour", async (publishedBy, warning) => {
  const tender = { ...details.bid.tender, publishedBy };
  const meeting = { kind: "pre-bid", at: "2026-12-10T23:59:59+05:30", hasHour: false, isDoubtful: false };
  server.shown = { ...details, bid: { ...details.bid, tender }, deadlines: [meeting] };
  open();
  const ladder = within(await screen.findByRole("region", { name: "Deadlines" }));
  expect(ladder.getByText(warning)).toBeInTheDocument();
});

it("leaves out, once the bid is submitted, what stands in what comes next", async () => {
  const [sale, closing, expiry] = details.deadlines;
  const opening = { ...closing, kind: "opening", at: null };
  server.shown = { ...inStage("submitted"), deadlines: [sale, closing, opening, expiry] };
  open();
  const ladder = within(await screen.findByRole("region", { name: "Deadlines" }));
  expect(ladder.queryByText("Bids close")).toBeNull();
  expect(ladder.getByText("Sale of documents ends")).toBeInTheDocument();
  expect(ladder.getByText("Not found in the notice: Bid security expires")).toBeInTheDocument();
  const list = screen.getByRole("region", { name: "What comes next" });
  expect(list).toHaveTextContent(/Bids close.*2\.00 p\.m\..*Bids are opened.*not found in the notice/);
});
