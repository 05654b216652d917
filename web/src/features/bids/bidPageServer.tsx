// The server of the tests of a bid's page, and what these tests share.

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as BidPage } from "./BidPage.tsx";

const user = {
  _id: "1",
  firstName: "Kumari",
  lastName: "Silva",
  email: "k@example.lk",
  role: "supplier",
};
export const kumari = { _id: "1", name: "Kumari Silva" };
const nimal = { _id: "2", name: "Nimal Perera" };

export const details = {
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
export const inStage = (stage: string) => ({ ...details, bid: { ...details.bid, stage } });

/** The bid if its notice states these ways of delivery. */
export const withDelivery = (methods: string[]) => ({
  ...details,
  checklist: details.checklist.map((row) =>
    row.key === "deliver" ? { ...row, derived: { ...row.derived, methods } } : row,
  ),
});

interface Server {
  /** What the server returns of the bid. */
  shown: object;
  /** The requests that change something. */
  changes: { method: string; path: string; body: unknown }[];
  /** The profile of the company, what the notice says, and how both compare. */
  company: object;
  notice: object;
  bidding: object;
  /** The holidays of the calendar. */
  holidays: object[];
}

/** What the server knows. Each test begins with a bid in work. */
export const server = {} as Server;

/** Starts the server before each test. */
export function startServer() {
  const known: Server = {
    changes: [],
    company: { vat: "101-7000" },
    notice: {},
    bidding: { requirements: [] },
    holidays: [],
    shown: details,
  };
  Object.assign(server, known);
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
    if (path === "/api/calendar/holidays") return reply({ holidays: server.holidays });
    if (path === "/api/company") return reply({ company: server.company, version: 1 });
    if (request.method !== "GET") {
      const text = await request.text();
      server.changes.push({ method: request.method, path, body: text === "" ? null : JSON.parse(text) });
    }
    if (path.startsWith("/api/bids/gone")) return reply({ success: false, message: "Bid not found" }, 404);
    const { notice, bidding, shown } = server;
    return reply({ notice: { ...notice, bidding }, ...shown });
  });
}

/** Opens the page of a bid. */
export const open = (id = "a", now?: string) =>
  renderAt(
    <Routes>
      <Route path="/bids/:id" element={<BidPage />} />
    </Routes>,
    { at: `/bids/${id}`, now },
  );

/** Opens a section that is a line at first. */
export async function unfold(title: string): Promise<HTMLElement> {
  const section = await screen.findByRole("region", { name: title });
  await userEvent.click(within(section).getByRole("button", { name: new RegExp(`^${title}`) }));
  return section;
}
