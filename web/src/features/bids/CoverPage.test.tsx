import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as CoverPage } from "./CoverPage.tsx";

const user = {
  _id: "1",
  firstName: "Kumari",
  lastName: "Silva",
  company: "Silva Builders",
  phone: "+94771234567",
  email: "k@example.lk",
  role: "supplier",
};
const row = (kind: string, more: object) => ({
  key: kind,
  fingerprint: "0",
  derived: { key: kind, kind, basis: "notice", isDoubtful: false, ...more },
  tick: null,
});
/** Where bids are delivered, if the notice says so. */
let place: string | null;
/** How bids are delivered. */
let methods: string[];
/** The day before the closing, if offices are closed on it. */
let closedBefore: object | null;
/** What the notice says of the security. */
let security: object;
/** The rows that a test adds, what the notice asks, and the company's registrations. */
let moreRows: object[];
let notice: object | null;
let cida: object[];
const details = () => ({
  bid: {
    _id: "a",
    stage: "preparing",
    version: 1,
    tender: {
      _id: "t",
      title: "Roof repairs",
      organization: "Department of Buildings",
      closing: "2026-12-24T14:00:00+05:30",
      isClosingDoubtful: false,
      status: "published",
      publishedBy: "newspaper",
      isLocked: false,
    },
    owner: null,
    value: 900_000,
    tasks: 0,
    doneTasks: 0,
    notes: 0,
    createdAt: "2026-11-20T12:00:00+05:30",
    updatedAt: "2026-11-20T12:00:00+05:30",
  },
  deadlines: [
    {
      kind: "closing",
      at: "2026-12-24T14:00:00+05:30",
      hasHour: true,
      isDoubtful: false,
      closedBefore,
    },
    { kind: "opening", at: "2026-12-24T14:30:00+05:30", hasHour: true, isDoubtful: false },
  ],
  notice,
  checklist: [
    ...moreRows,
    row("envelope-marked", { text: "DB/2026/7", basis: "usual-practice" }),
    row("bid-security", security),
    row("copies", { printed: "in duplicate" }),
    row("vat", { basis: "usual-practice" }),
    row("criterion", { text: "Bidders are registered with the department." }),
    row("deliver", { at: "2026-12-24T14:00:00+05:30", place, methods }),
    {
      key: "own:r",
      fingerprint: "0",
      own: { _id: "r", title: "Company seal" },
      tick: { at: "2026-11-20T12:00:00+05:30", by: null },
    },
  ],
  reminders: { own: null, all: { channels: [], saleEnds: [], preBid: [], closing: [] }, channels: [] },
  files: [],
  tasks: [],
  notes: [],
  history: [],
  people: [],
});

beforeEach(() => {
  place = null;
  methods = [];
  moreRows = [];
  notice = null;
  cida = [];
  security = { basis: "not-stated" };
  closedBefore = { day: "2026-12-23", reason: "poya", name: "Unduvap Full Moon Poya Day" };
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const path = new URL((input as Request).url).pathname;
    if (path === "/api/company") {
      const data = { company: { businessRegistration: "PV 123", vat: "101-7000", cida }, version: 1 };
      return Response.json({ success: true, data });
    }
    const data = path === "/api/auth/me" ? { user } : details();
    return new Response(JSON.stringify({ success: true, data }), {
      headers: { "content-type": "application/json" },
    });
  });
});

const open = () =>
  renderAt(
    <Routes>
      <Route path="/bids/:id/cover" element={<CoverPage />} />
    </Routes>,
    { at: "/bids/a/cover" },
  );

it("prints the place of delivery once", async () => {
  place = "Bids are put into the box in room 4.";
  open();
  const sheet = within(await screen.findByRole("article"));
  expect(sheet.getAllByText(/Bids are put into the box/)).toHaveLength(1);
  expect(sheet.getByText(`“${place}”`)).toBeInTheDocument();
});

it("parts the papers from the steps, and lists conditions without a box", async () => {
  open();
  const sheet = within(await screen.findByRole("article"));
  const part = (name: string) => {
    const section = sheet.getByRole("heading", { level: 2, name }).closest("section");
    return within(section as HTMLElement);
  };
  const titles = (name: string) =>
    part(name)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent);
  expect(titles("Papers in the bid")).toEqual(["VAT certificate *"]);
  expect(titles("Before you hand it in")).toEqual([
    "Envelope marked with “DB/2026/7” *",
    "Original and copies: in duplicate",
    "Deliver by Thu 24 Dec 2026, 2.00 p.m.",
    "✓Company seal",
  ]);
  expect(titles("Conditions of the notice")).toEqual([
    "Show that you meet: “Bidders are registered with the department.”",
  ]);
  expect(part("Conditions of the notice").queryByRole("img")).toBeNull();
});

it("says above the boxes how the bid is delivered", async () => {
  place = "Bids are put into the box in room 4.";
  methods = ["sealed-envelope", "tender-box"];
  open();
  const sheet = within(await screen.findByRole("article"));
  const answerTo = (name: string) => sheet.getByText(name).nextElementSibling;
  expect(answerTo("How to submit")).toHaveTextContent(/^in a sealed envelope, into the tender box$/);
  expect(answerTo("Place of delivery")).toHaveTextContent(`“${place}”`);
});

it("puts the tender, the closing, the bidder and the boxes on one page", async () => {
  open();
  const sheet = within(await screen.findByRole("article"));
  expect(sheet.getByRole("heading", { level: 1, name: "Roof repairs" })).toBeInTheDocument();
  expect(sheet.getByText("DB/2026/7")).toBeInTheDocument();
  expect(await sheet.findByText("Silva Builders")).toBeInTheDocument();
  expect(sheet.getByText("The day before: Wed 23 Dec 2026 is a Poya day")).toBeInTheDocument();
  // The value of the bid is nobody else's business.
  expect(sheet.queryByText(/900,000/)).toBeNull();
  expect(sheet.getByText("not found in the notice")).toBeInTheDocument();
  expect(sheet.getAllByRole("img", { name: "not ready" })).toHaveLength(4);
  expect(sheet.getAllByRole("img", { name: "ready" })).toHaveLength(1);
  // What the notice does not state is nothing to tick.
  const security = sheet.getByText("Not stated in the notice, ask: Bid security");
  expect(security.closest("li")).toBeNull();
  expect(sheet.getByText("Signs for the bidder")).toBeInTheDocument();
  expect(sheet.getByText("* Usual practice, not from the notice")).toBeInTheDocument();
});

it("says who bids, by their numbers, and which security the notice asks for", async () => {
  security = { basis: "notice", amount: 250_000, currency: "LKR" };
  open();
  const sheet = within(await screen.findByRole("article"));
  const bidder = (await sheet.findByText("Silva Builders")).closest("dd");
  expect(bidder).toHaveTextContent("+94771234567");
  await waitFor(() => expect(bidder).toHaveTextContent(/PV 123.*101-7000/));
  expect(sheet.getByText("LKR 250,000").closest("dl")).not.toBeNull();
  expect(sheet.getByText("“in duplicate”").closest("dl")).not.toBeNull();
});

it("leaves out a weekend before the closing", async () => {
  closedBefore = { day: "2026-12-23", reason: "weekend" };
  open();
  const sheet = within(await screen.findByRole("article"));
  expect(sheet.queryByText(/weekend/)).toBeNull();
});

it("keeps the way of delivery apart from a place that the notice does not name", async () => {
  methods = ["sealed-envelope"];
  open();
  const sheet = within(await screen.findByRole("article"));
  expect(sheet.getByText("in a sealed envelope").closest("dd")).not.toHaveTextContent("not found");
  expect(sheet.getByText("Place of delivery").nextElementSibling).toHaveTextContent(
    /^not found in the notice$/,
  );
});

it("names the field of work of a registration, and what the profile lacks", async () => {
  cida = [{ grade: "C6", field: "Highway construction" }];
  moreRows = [row("cida", { text: "C6" })];
  const asked = { kind: "grade", path: "cida.0", verdict: "missing", reason: "other-field", row: 0 };
  notice = {
    cida: [{ grade: "C6", field: "Irrigation and Drainage Canals" }],
    bidding: { answer: "missing", requirements: [asked] },
  };
  open();
  const sheet = within(await screen.findByRole("article"));
  const box = sheet.getByText("CIDA registration, copy: C6 (Irrigation and Drainage Canals)").closest("li");
  const lack =
    "Missing: CIDA C6 (Irrigation and Drainage Canals). Your registration is for another field of work.";
  await waitFor(() => expect(box).toHaveTextContent(lack));
});

it("marks what the law asks for, and says that it is not from the notice", async () => {
  moreRows = [row("contracts-act", { basis: "law" })];
  open();
  const sheet = within(await screen.findByRole("article"));
  expect(sheet.getByText("PCA-3 certificate (Public Contracts Act) §")).toBeInTheDocument();
  expect(sheet.getByText("§ Required by law above LKR 5 million, not from the notice")).toBeInTheDocument();
});

it("explains only the marks on the sheet", async () => {
  open();
  const sheet = within(await screen.findByRole("article"));
  expect(sheet.getByText("* Usual practice, not from the notice")).toBeInTheDocument();
  expect(sheet.queryByText(/^§/)).toBeNull();
});

it("tells a security that is a share of the bid in rupees", async () => {
  security = { basis: "notice", percentage: 1 };
  open();
  const sheet = within(await screen.findByRole("article"));
  const amount = "1% of the bid = LKR 9,000";
  expect(sheet.getByText(amount).closest("dl")).not.toBeNull();
  expect(sheet.getByText(`Bid security: ${amount}`)).toBeInTheDocument();
});
