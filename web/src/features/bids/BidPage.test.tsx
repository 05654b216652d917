import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { details, inStage, open, server, startServer, unfold } from "./bidPageServer.tsx";

beforeEach(startServer);

it("server.changes the stage, the owner and the value of the version on the screen", async () => {
  open();
  await userEvent.selectOptions(await screen.findByLabelText("Stage"), "Submitted");
  await userEvent.selectOptions(screen.getByLabelText("Taken care of by"), "Nimal Perera");
  const value = screen.getByLabelText("Value in rupees");
  expect(value).toHaveValue("1,250,000");
  await userEvent.clear(value);
  await userEvent.type(value, "many");
  expect(screen.getByText("Enter an amount such as 1,250,000")).toBeInTheDocument();
  await userEvent.clear(value);
  await userEvent.type(value, "2,500,000");
  await userEvent.click(screen.getByRole("button", { name: "Save the value" }));
  await waitFor(() => expect(server.changes).toHaveLength(3));
  expect(server.changes).toEqual([
    { method: "PUT", path: "/api/bids/a/place", body: { stage: "submitted", before: null, version: 4 } },
    { method: "PUT", path: "/api/bids/a", body: { ownerId: "2", value: 1_250_000, version: 4 } },
    { method: "PUT", path: "/api/bids/a", body: { ownerId: "1", value: 2_500_000, version: 4 } },
  ]);
});

it("tells what happened as sentences", async () => {
  open();
  const history = await unfold("History");
  expect(history).toHaveTextContent("Moved from Considering to Preparing");
  expect(history).toHaveTextContent("A deleted account · Fri 20 Nov 2026, 12.30 p.m.");
});

it("leads back to the board if the bid is gone", async () => {
  open("gone");
  expect(await screen.findByText("Your board has no such bid")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "To the board" })).toHaveAttribute("href", "/bids");
});

it.each([
  ["submitted", ["Buy the documents"]],
  ["won", ["Buy the documents"]],
  ["lost", []],
  ["dropped", []],
])("collapses what is over for a bid that is %s", async (stage, outstanding) => {
  server.shown = inStage(stage);
  open();
  const list = await screen.findByRole("region", { name: "What comes next" });
  const past = within(list)
    .getByText(/^Steps before the delivery: \d$/)
    .closest("details");
  expect(past).not.toHaveAttribute("open");
  const boxes = within(list)
    .getAllByRole("checkbox", { hidden: true })
    .filter((box) => !past?.contains(box));
  expect(boxes.map((box) => box.closest("label")?.textContent)).toEqual(outstanding);
  expect(within(list).queryByText("Next")).toBeNull();
});

it("says what comes after the delivery, and takes the bid to its end", async () => {
  const opening = { ...details.deadlines[1], kind: "opening", at: "2026-12-24T14:30:00+05:30" };
  const derived = { key: "s", kind: "bid-security", basis: "notice", amount: 90_000, isDoubtful: false };
  server.shown = {
    ...inStage("submitted"),
    deadlines: [...details.deadlines, opening],
    checklist: [{ key: "s", fingerprint: "0", derived, tick: null }],
    tasks: [],
    history: [
      {
        at: "2026-12-22T11:05:00+05:30",
        actor: { _id: "u", name: "Nimal Perera" },
        kind: "moved",
        before: "preparing",
        after: "submitted",
      },
    ],
  };
  open("a", "2026-12-24T14:31:00+05:30");
  const list = within(await screen.findByRole("region", { name: "What comes next" }));
  expect(list.getByText(/^Tue 22 Dec 2026, 11.05 a.m., by Nimal Perera/)).toBeInTheDocument();
  expect(list.getByText("Bids are opened").closest("li")).toHaveTextContent("Thu 24 Dec 2026, 2.30 p.m.");
  expect(list.getByText(/^When it expires was not found in the notice/)).toBeInTheDocument();
  expect(list.queryByText(/steps done/)).toBeNull();
  await userEvent.click(list.getByRole("button", { name: "Won" }));
  await waitFor(() => expect(server.changes).toHaveLength(1));
  expect(server.changes[0]?.body).toEqual({ stage: "won", before: null, version: 4 });
});

it("asks for no end of a bid before the opening", async () => {
  server.shown = inStage("submitted");
  open("a", "2026-12-23T08:00:00+05:30");
  const list = within(await screen.findByRole("region", { name: "What comes next" }));
  expect(list.getByText("After the opening you say here whether you won or lost.")).toBeInTheDocument();
  expect(list.queryByRole("button", { name: "Won" })).toBeNull();
});

it("does not press for a bid that is submitted", async () => {
  server.shown = inStage("submitted");
  open("a", "2026-12-23T08:00:00+05:30");
  const badge = await screen.findByText("Closing in 1 Day");
  expect(badge.closest("[data-tone]")).toHaveAttribute("data-tone", "calm");
});

it.each([
  ["won", "The buyer’s letter says by when to sign it and to give the performance bond."],
  ["lost", "Look in the past awards"],
  ["dropped", "You dropped this bid. To take it up again, choose another stage."],
])("says what is left of a bid that is %s", async (stage, text) => {
  server.shown = inStage(stage);
  open();
  const list = within(await screen.findByRole("region", { name: "What comes next" }));
  expect(list.getByText(text)).toBeInTheDocument();
});

it("answers in its head whether the company may bid, in the words of the tender's page", async () => {
  server.notice = { cida: [{ grade: "C4", field: "Highways" }] };
  server.bidding = {
    answer: "missing",
    requirements: [{ kind: "grade", path: "cida.0", verdict: "missing", reason: "not-in-profile" }],
  };
  open();
  expect(await screen.findByRole("link", { name: "Missing: CIDA C4" })).toHaveAttribute(
    "href",
    "/tenders/t#may-i-bid",
  );
});

it("does not read the page of the tender, since that counts as a view", async () => {
  open();
  await screen.findByRole("region", { name: "What is to be done" });
  const asked = vi.mocked(fetch).mock.calls.map(([input]) => new URL((input as Request).url).pathname);
  expect(asked).toContain("/api/bids/a");
  expect(asked).not.toContain("/api/tenders/t");
});

it("says of a tender of the portal that its publisher states nothing", async () => {
  const tender = { ...details.bid.tender, publishedBy: "organisation" };
  const deliver = { key: "d", kind: "deliver", basis: "notice", methods: ["post"], isDoubtful: false };
  server.shown = {
    ...details,
    bid: { ...details.bid, tender },
    checklist: [{ key: "d", fingerprint: "0", derived: deliver, tick: null }],
  };
  open();
  const unknown = await screen.findByText("Place of delivery: not stated by the publisher");
  expect(screen.getByText("by post").compareDocumentPosition(unknown)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.queryByText(/found in the notice/)).toBeNull();
});

it("proposes reminders and stores them for all bids", async () => {
  open();
  const card = within(await unfold("Reminders"));
  // The line and the section that it opens.
  expect(card.getAllByText("No reminders.")).toHaveLength(2);
  await userEvent.click(card.getByRole("button", { name: "Change the reminders" }));
  // What is ticked is a proposal; what is stored stands above it.
  expect(card.getByText("Stored now").parentElement).toHaveTextContent("No reminders.");
  expect(card.getByText(/^The ticks below are a proposal/)).toBeInTheDocument();
  const closing = within(card.getByRole("group", { name: "Before bids close" }));
  expect(closing.getByRole("checkbox", { name: "7 days" })).toBeChecked();
  await userEvent.click(closing.getByRole("checkbox", { name: "7 days" }));
  await userEvent.click(card.getByRole("checkbox", { name: "SMS" }));
  await userEvent.click(card.getByRole("button", { name: "Save for all my bids" }));
  await waitFor(() => expect(server.changes).toHaveLength(2));
  expect(server.changes[0]).toEqual({
    method: "PUT",
    path: "/api/bids/reminders",
    body: { channels: ["email", "sms"], saleEnds: [48], preBid: [24], closing: [48, 3] },
  });
});

it("shows secondary sections as lines, and opens the one that the address names", async () => {
  open("a#notes");
  const notes = await screen.findByRole("region", { name: "Notes" });
  expect(within(notes).getByRole("button", { name: "Notes 1" })).toHaveAttribute("aria-expanded", "true");
  expect(within(notes).getByLabelText("New note")).toBeVisible();
  for (const name of ["Files 1", "Reminders No reminders.", "History 2"]) {
    expect(screen.getByRole("button", { name })).toHaveAttribute("aria-expanded", "false");
  }
  await userEvent.click(within(notes).getByRole("button", { name: "Notes 1" }));
  expect(within(notes).getByLabelText("New note")).not.toBeVisible();
});

it("lists the files and deletes one", async () => {
  open();
  const card = within(await unfold("Files"));
  expect(card.getByText(/Nimal Perera/)).toBeInTheDocument();
  await userEvent.click(card.getByRole("button", { name: "Delete the file: letter.pdf" }));
  await waitFor(() => expect(server.changes).toHaveLength(1));
  expect(server.changes[0]).toMatchObject({ method: "DELETE", path: "/api/bids/a/files/f" });
});

it.each([
  ["2026-12-20T08:00:00+05:30", "The last day is today", "today"],
  ["2026-12-19T08:00:00+05:30", "The last day is tomorrow", "tomorrow"],
])("says at %s how near the end of the sale is", async (now, row, badge) => {
  const saleEnds = { ...details.deadlines[0], at: "2026-12-20T23:59:59+05:30" };
  server.shown = { ...details, deadlines: [saleEnds, details.deadlines[1]] };
  open("a", now);
  expect(await screen.findByText(row)).toHaveClass("text-urgent");
  const ladder = within(screen.getByRole("region", { name: "Deadlines" }));
  expect(ladder.getByText(badge).closest("[data-tone]")).toHaveAttribute("data-tone", "urgent");
});
