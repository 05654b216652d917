import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as BidPage } from "./BidPage.tsx";

const user = { _id: "1", firstName: "Kumari", lastName: "Silva", email: "k@example.lk", role: "supplier" };
const kumari = { _id: "1", name: "Kumari Silva" };
const nimal = { _id: "2", name: "Nimal Perera" };

const details = {
  bid: {
    _id: "a",
    stage: "preparing",
    version: 4,
    tender: {
      _id: "t",
      title: "Roof repairs",
      organization: "Department of Buildings",
      closing: "2026-12-24T14:00:00+05:30",
      isClosingDoubtful: false,
      publishedBy: "newspaper",
      status: "published",
      isLocked: false,
    },
    owner: kumari,
    value: 1_250_000,
    tasks: 1,
    doneTasks: 0,
    notes: 1,
    createdAt: "2026-11-20T12:00:00+05:30",
    updatedAt: "2026-11-20T12:00:00+05:30",
  },
  deadlines: [
    {
      kind: "sale-ends",
      at: "2026-11-20T23:59:59+05:30",
      hasHour: false,
      path: "documentFee.saleUntil",
      isDoubtful: false,
    },
    {
      kind: "closing",
      at: "2026-12-24T14:00:00+05:30",
      hasHour: true,
      path: "dates.closing",
      isDoubtful: false,
      closedBefore: { day: "2026-12-23", reason: "poya", name: "Unduvap Full Moon Poya Day" },
      lastOpenDay: "2026-12-22",
    },
    { kind: "bond-expiry", at: null, hasHour: false, isDoubtful: false },
  ],
  checklist: [
    {
      key: "buy-documents",
      fingerprint: "00000000000000aa",
      derived: {
        key: "buy-documents",
        kind: "buy-documents",
        basis: "notice",
        amount: 5000,
        currency: "LKR",
        day: "2026-12-20",
        printed: "Rs. 5,000/=",
        isDoubtful: false,
      },
      tick: null,
      outdatedTick: { at: "2026-11-20T12:00:00+05:30", by: nimal },
    },
    {
      key: "vat",
      fingerprint: "00000000000000bb",
      derived: { key: "vat", kind: "vat", basis: "usual-practice", isDoubtful: false },
      tick: { at: "2026-11-20T12:00:00+05:30", by: kumari },
    },
    {
      key: "deliver",
      fingerprint: "00000000000000cc",
      derived: {
        key: "deliver",
        kind: "deliver",
        basis: "notice",
        at: "2026-12-24T14:00:00+05:30",
        place: "the counter of Room 4",
        methods: ["sealed-envelope"],
        isDoubtful: false,
      },
      tick: null,
    },
    { key: "own:r", fingerprint: "0000000000000000", own: { _id: "r", title: "Ask the bank" }, tick: null },
  ],
  files: [
    {
      _id: "f",
      name: "letter.pdf",
      type: "application/pdf",
      size: 20_480,
      uploader: nimal,
      createdAt: "2026-11-20T12:00:00+05:30",
    },
  ],
  reminders: {
    own: null,
    all: { channels: [], saleEnds: [], preBid: [], closing: [] },
    channels: ["email", "sms"],
  },
  tasks: [{ _id: "k", title: "Buy the documents", due: "2026-11-20", assignee: nimal, doneAt: null }],
  notes: [
    {
      _id: "n",
      author: nimal,
      text: "Ask for\ntiles",
      isDeletable: false,
      createdAt: "2026-11-20T12:00:00+05:30",
    },
  ],
  history: [
    {
      at: "2026-11-20T12:30:00+05:30",
      actor: null,
      kind: "moved",
      before: "considering",
      after: "preparing",
    },
    { at: "2026-11-20T12:00:00+05:30", actor: kumari, kind: "added" },
  ],
  people: [kumari, nimal],
};

/** The bid in another stage. */
const inStage = (stage: string) => ({ ...details, bid: { ...details.bid, stage } });

/** The bid if its notice states these ways of delivery. */
const withDelivery = (methods: string[]) => ({
  ...details,
  checklist: details.checklist.map((row) =>
    row.key === "deliver" ? { ...row, derived: { ...row.derived, methods } } : row,
  ),
});

/** What the server returns of the bid. */
let shown: object;
/** The requests that change something. */
let changes: { method: string; path: string; body: unknown }[];

/** The profile of the company, what the notice says, and how both compare. */
let company: object;
let notice: object;
let bidding: object;

beforeEach(() => {
  changes = [];
  company = { vat: "101-7000" };
  notice = {};
  bidding = { requirements: [] };
  shown = details;
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    const path = new URL(request.url).pathname;
    const reply = (data: unknown, status = 200) =>
      new Response(JSON.stringify(status < 400 ? { success: true, data } : data), {
        status,
        headers: { "content-type": "application/json" },
      });
    if (path === "/api/auth/me") return reply({ user });
    if (path === "/api/company") return reply({ company, version: 1 });
    if (request.method !== "GET") {
      const text = await request.text();
      changes.push({ method: request.method, path, body: text === "" ? null : JSON.parse(text) });
    }
    if (path.startsWith("/api/bids/gone")) return reply({ success: false, message: "Bid not found" }, 404);
    return reply({ notice: { ...notice, bidding }, ...shown });
  });
});

const open = (id = "a", now?: string) =>
  renderAt(
    <Routes>
      <Route path="/bids/:id" element={<BidPage />} />
    </Routes>,
    { at: `/bids/${id}`, now },
  );

/** Opens a section that is a line at first. */
async function unfold(title: string): Promise<HTMLElement> {
  const section = await screen.findByRole("region", { name: title });
  await userEvent.click(within(section).getByRole("button", { name: new RegExp(`^${title}`) }));
  return section;
}

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
    shown = withDelivery(methods);
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
    shown = changed;
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
  shown = inStage("lost");
  open();
  const ladder = await screen.findByRole("region", { name: "Deadlines" });
  expect(ladder).toHaveTextContent("Thu 24 Dec 2026, 2.00 p.m.");
  expect(ladder).not.toHaveTextContent("Offices are closed");
  expect(within(ladder).queryByRole("listitem", { current: "step" })).toBeNull();
  expect(screen.queryByText(/^Closing in|^Closes today/)).toBeNull();
});

it("changes the stage, the owner and the value of the version on the screen", async () => {
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
  await waitFor(() => expect(changes).toHaveLength(3));
  expect(changes).toEqual([
    { method: "PUT", path: "/api/bids/a/place", body: { stage: "submitted", before: null, version: 4 } },
    { method: "PUT", path: "/api/bids/a", body: { ownerId: "2", value: 1_250_000, version: 4 } },
    { method: "PUT", path: "/api/bids/a", body: { ownerId: "1", value: 2_500_000, version: 4 } },
  ]);
});

it("ticks a task, and adds tasks and notes", async () => {
  open();
  await userEvent.click(await screen.findByRole("checkbox", { name: "Buy the documents" }));
  expect(screen.getByText("Nimal Perera · was due Fri 20 Nov 2026")).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText("New task"), "Visit the site");
  await userEvent.click(screen.getByRole("button", { name: "Add the task" }));
  await unfold("Notes");
  await userEvent.type(screen.getByLabelText("New note"), "Tiles are dear");
  await userEvent.click(screen.getByRole("button", { name: "Add the note" }));
  await waitFor(() => expect(changes).toHaveLength(3));
  expect(changes.map(({ body }) => body)).toEqual([
    { title: "Buy the documents", due: "2026-11-20", assigneeId: "2", isDone: true },
    { title: "Visit the site", due: null, assigneeId: null },
    { text: "Tiles are dear" },
  ]);
  // Only its author deletes a note.
  expect(screen.queryByRole("button", { name: /^Delete the note/ })).toBeNull();
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

it("lists the checklist and the tasks together, and ticks the value on the screen", async () => {
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  expect(list.getByText("1 of 5 steps done, own tasks included")).toBeInTheDocument();
  expect(list.getAllByRole("checkbox").map((box) => box.closest("label")?.textContent)).toEqual([
    "Buy the documents",
    "Buy the bidding documents: LKR 5,000",
    "Ask the bank",
    "Deliver by Thu 24 Dec 2026, 2.00 p.m.",
    "VAT certificate",
  ]);
  const next = list.getAllByRole("listitem", { current: "step" });
  expect(next).toHaveLength(1);
  expect(next[0]).toHaveTextContent(/Buy the documents.*Next/);
  expect(list.getByText("Printed: “Rs. 5,000/=”")).toBeInTheDocument();
  expect(list.getByText("until Sun 20 Dec 2026")).toBeInTheDocument();
  expect(list.getByText("Usual practice, not from the notice")).toBeInTheDocument();
  expect(list.getByText(/^Changed since Nimal Perera ticked it/)).toBeInTheDocument();
  await userEvent.click(list.getByRole("checkbox", { name: "Buy the bidding documents: LKR 5,000" }));
  await userEvent.click(list.getByRole("button", { name: "Delete the row: Ask the bank" }));
  await waitFor(() => expect(changes).toHaveLength(2));
  expect(changes).toEqual([
    {
      method: "PUT",
      path: "/api/bids/a/checklist",
      body: { key: "buy-documents", fingerprint: "00000000000000aa", isDone: true },
    },
    { method: "DELETE", path: "/api/bids/a/checklist/r", body: null },
  ]);
});

it("names what the notice does not state without a box, and does not count it", async () => {
  const derived = { key: "s", kind: "bid-security", basis: "not-stated", isDoubtful: false };
  shown = {
    ...details,
    checklist: [...details.checklist, { key: "s", fingerprint: "0", derived, tick: null }],
  };
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  expect(list.getByText("1 of 5 steps done, own tasks included")).toBeInTheDocument();
  expect(list.getByText("Not stated in the notice, ask: Bid security")).toBeInTheDocument();
  expect(list.queryByRole("checkbox", { name: /^Bid security/ })).toBeNull();
});

it("ticks a row together with the task of the same name", async () => {
  shown = { ...details, tasks: [{ ...details.tasks[0], title: "buy the bidding documents" }] };
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  const name = "Buy the bidding documents: LKR 5,000";
  expect(list.getByText("1 of 4 steps done, own tasks included")).toBeInTheDocument();
  expect(list.getByText("Nimal Perera · was due Fri 20 Nov 2026")).toBeInTheDocument();
  expect(list.getByRole("button", { name: "Delete the task: buy the bidding documents" })).toBeEnabled();
  await userEvent.click(list.getByRole("checkbox", { name }));
  await waitFor(() => expect(changes).toHaveLength(2));
  expect(changes.map(({ path }) => path)).toEqual(["/api/bids/a/checklist", "/api/bids/a/tasks/k"]);
  expect(changes.every(({ body }) => (body as { isDone: boolean }).isDone)).toBe(true);
});

it("tells what the company profile has", async () => {
  open();
  expect(await screen.findByText("In your company profile: 101-7000")).toBeInTheDocument();
});

it("says of a grade what the page of the tender says", async () => {
  company = { cida: [{ grade: "C5", field: "Building" }] };
  notice = { cida: [{ grade: "C6", field: "Irrigation and Drainage Canals", alsoAdmits: "higher" }] };
  bidding = { requirements: [{ kind: "grade", path: "cida.0", verdict: "missing", reason: "other-field" }] };
  const derived = { key: "cida", kind: "cida", basis: "notice", text: "C6", isDoubtful: false };
  shown = { ...details, checklist: [{ key: "cida", fingerprint: "0", derived, tick: null }] };
  open();
  expect(
    await screen.findByText(/^Missing: CIDA C6 or above \(Irrigation and Drainage Canals\)\./),
  ).toBeInTheDocument();
  expect(screen.queryByText(/In your company profile: C5/)).toBeNull();
});

it.each([
  ["submitted", ["Buy the documents"]],
  ["won", ["Buy the documents"]],
  ["lost", []],
  ["dropped", []],
])("collapses what is over for a bid that is %s", async (stage, outstanding) => {
  shown = inStage(stage);
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
  shown = {
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
  open();
  const list = within(await screen.findByRole("region", { name: "What comes next" }));
  expect(list.getByText(/^Tue 22 Dec 2026, 11.05 a.m., by Nimal Perera/)).toBeInTheDocument();
  expect(list.getByText("Bids are opened").closest("li")).toHaveTextContent("Thu 24 Dec 2026, 2.30 p.m.");
  expect(list.getByText(/^When it expires was not found in the notice/)).toBeInTheDocument();
  expect(list.queryByText(/steps done/)).toBeNull();
  await userEvent.click(list.getByRole("button", { name: "Won" }));
  await waitFor(() => expect(changes).toHaveLength(1));
  expect(changes[0]?.body).toEqual({ stage: "won", before: null, version: 4 });
});

it("does not press for a bid that is submitted", async () => {
  shown = inStage("submitted");
  open("a", "2026-12-23T08:00:00+05:30");
  const ladder = await screen.findByRole("region", { name: "Deadlines" });
  const badge = within(ladder).getByText("Closing in 1 Day");
  expect(badge.closest("[data-tone]")).toHaveAttribute("data-tone", "calm");
});

it.each([
  ["won", "The buyer’s letter says by when to sign it and to give the performance bond."],
  ["lost", "Look in the past awards"],
  ["dropped", "You dropped this bid. To take it up again, choose another stage."],
])("says what is left of a bid that is %s", async (stage, text) => {
  shown = inStage(stage);
  open();
  const list = within(await screen.findByRole("region", { name: "What comes next" }));
  expect(list.getByText(text)).toBeInTheDocument();
});

it("answers in its head whether the company may bid, in the words of the tender's page", async () => {
  notice = { cida: [{ grade: "C4", field: "Highways" }] };
  bidding = {
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
  shown = {
    ...details,
    bid: { ...details.bid, tender },
    checklist: [{ key: "d", fingerprint: "0", derived: deliver, tick: null }],
  };
  open();
  const unknown = await screen.findByText("Place of delivery: not stated by the publisher");
  expect(screen.getByText("by post").compareDocumentPosition(unknown)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.queryByText(/found in the notice/)).toBeNull();
});

it("says from when the documents are sold and whom to ask, and takes another step until then", async () => {
  notice = {
    documentFee: { saleFrom: "2026-11-25", saleUntil: "2026-12-20" },
    organization: { contactPerson: { phone: "055-2399638" } },
  };
  shown = { ...details, tasks: [] };
  open();
  expect(await screen.findByText("Sold from Wed 25 Nov 2026")).toBeInTheDocument();
  expect(
    screen.getByText("Where they are sold: not found in the notice; ask 055-2399638"),
  ).toBeInTheDocument();
  const list = within(screen.getByRole("region", { name: "What is to be done" }));
  expect(list.getByRole("listitem", { current: "step" })).toHaveTextContent("Ask the bank");
});

it("takes no step before the purchase that is due after the sale begins", async () => {
  notice = { documentFee: { saleFrom: "2026-11-25", saleUntil: "2026-12-20" } };
  const meeting = {
    key: "m",
    kind: "pre-bid",
    basis: "notice",
    at: "2026-12-21T10:00:00+05:30",
    isDoubtful: false,
  };
  const [purchase] = details.checklist;
  shown = {
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
  await waitFor(() => expect(changes).toHaveLength(2));
  expect(changes[0]).toEqual({
    method: "PUT",
    path: "/api/bids/reminders",
    body: { channels: ["email", "sms"], saleEnds: [48], preBid: [24], closing: [48, 3] },
  });
});

it("warns once of a day on which bids close and are opened", async () => {
  const closing = details.deadlines[1];
  shown = { ...details, deadlines: [closing, { ...closing, kind: "opening" }] };
  open();
  const ladder = within(await screen.findByRole("region", { name: "Deadlines" }));
  expect(ladder.getByText("Bids are opened")).toBeInTheDocument();
  expect(ladder.getAllByText(/^Offices are usually closed on the day before/)).toHaveLength(1);
});

it("folds what was done before, and keeps in sight what the user ticks", async () => {
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  const done = list.getByText("Steps that are done: 1").closest("details");
  expect(done).not.toHaveAttribute("open");
  expect(done).toContainElement(list.getByRole("checkbox", { name: "VAT certificate", hidden: true }));
  shown = { ...details, tasks: [{ ...details.tasks[0], doneAt: "2026-11-21T12:00:00+05:30" }] };
  await userEvent.click(list.getByRole("checkbox", { name: "Buy the documents" }));
  await waitFor(() => expect(list.getByRole("checkbox", { name: "Buy the documents" })).toBeChecked());
  expect(done).not.toContainElement(list.getByRole("checkbox", { name: "Buy the documents" }));
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

it("asks for the day of a task once it has a title", async () => {
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  expect(list.queryByRole("button", { name: "Add the task" })).toBeNull();
  await userEvent.type(list.getByLabelText("New task"), "Visit the site");
  expect(list.getByRole("button", { name: "Add the task" })).toBeEnabled();
});

it("changes a task in its place", async () => {
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Change the task: Buy the documents" }));
  const title = screen.getByLabelText("Task");
  await userEvent.clear(title);
  await userEvent.type(title, "Buy two sets");
  await userEvent.click(screen.getByRole("button", { name: "Save the task" }));
  await waitFor(() => expect(changes).toHaveLength(1));
  expect(changes[0]?.body).toEqual({
    title: "Buy two sets",
    due: "2026-11-20",
    assigneeId: "2",
    isDone: false,
  });
  expect(screen.queryByLabelText("Task")).toBeNull();
});

it("lists the files and deletes one", async () => {
  open();
  const card = within(await unfold("Files"));
  expect(card.getByText(/Nimal Perera/)).toBeInTheDocument();
  await userEvent.click(card.getByRole("button", { name: "Delete the file: letter.pdf" }));
  await waitFor(() => expect(changes).toHaveLength(1));
  expect(changes[0]).toMatchObject({ method: "DELETE", path: "/api/bids/a/files/f" });
});

it.each([
  ["2026-12-20T08:00:00+05:30", "The last day is today", "today"],
  ["2026-12-19T08:00:00+05:30", "The last day is tomorrow", "tomorrow"],
])("says at %s how near the end of the sale is", async (now, row, badge) => {
  const saleEnds = { ...details.deadlines[0], at: "2026-12-20T23:59:59+05:30" };
  shown = { ...details, deadlines: [saleEnds, details.deadlines[1]] };
  open("a", now);
  expect(await screen.findByText(row)).toHaveClass("text-urgent");
  const ladder = within(screen.getByRole("region", { name: "Deadlines" }));
  expect(ladder.getByText(badge).closest("[data-tone]")).toHaveAttribute("data-tone", "urgent");
});

it("does not hurry who has bought the documents", async () => {
  const saleEnds = { ...details.deadlines[0], at: "2026-12-20T23:59:59+05:30" };
  const [bought, ...others] = details.checklist;
  const tick = { at: "2026-11-20T12:00:00+05:30", by: kumari };
  shown = { ...details, deadlines: [saleEnds], checklist: [{ ...bought, tick }, ...others] };
  open("a", "2026-12-20T08:00:00+05:30");
  const ladder = within(await screen.findByRole("region", { name: "Deadlines" }));
  expect(ladder.queryByText("today")).toBeNull();
  expect(screen.queryByText("The last day is today")).toBeNull();
});

it("says of a closing without an hour that none is stated, wherever it stands", async () => {
  const closing = { ...details.deadlines[1], at: "2026-12-24T23:59:59+05:30", hasHour: false };
  shown = { ...inStage("submitted"), deadlines: [closing] };
  open();
  for (const name of ["What comes next", "Deadlines"]) {
    const part = within(await screen.findByRole("region", { name }));
    expect(part.getByText("Thu 24 Dec 2026, hour not stated")).toBeInTheDocument();
  }
});
