// The server of the tests of the start page, and what these tests share.

import { screen, within } from "@testing-library/react";
import { vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as DashboardPage } from "./DashboardPage.tsx";

const free = { plan: "free", features: { emailAlerts: false } };
export const professional = { plan: "professional", features: { emailAlerts: true } };
const user = {
  _id: "1",
  firstName: "Kumari",
  lastName: "Silva",
  email: "k@example.lk",
  role: "supplier",
};

const openTender = {
  _id: "o",
  title: "Repair of a road",
  status: "published",
  organization: { name: "Department of Works" },
  dates: { closing: "2026-11-24T14:00:00+05:30" },
};
const savedTender = {
  ...openTender,
  _id: "s",
  title: "Supply of tyres",
  dates: { closing: "2026-11-28T14:00:00+05:30" },
};
export const newMatch = {
  _id: "m",
  title: "A new bridge",
  organization: "Department of Works",
  language: "en",
  location: { district: "Galle" },
  closing: "2026-11-30T14:00:00+05:30",
  fieldStates: { "dates.closing": "doubtful", "location.district": "doubtful" },
  publishedBy: "newspaper",
  alertId: "a",
  alertName: "Bridges",
  kind: "purchase",
  cida: [{ grade: "C5" }],
  eligibility: {},
  saleUntil: "2026-11-20",
  bidAnswer: { answer: "missing", first: { kind: "grade", path: "cida.0", verdict: "missing" } },
  at: "2026-11-21T08:00:00+05:30",
};

export const draft = {
  _id: "d",
  title: "Supply of chairs",
  status: "draft",
  referenceNo: "FW/1",
  organization: { name: "Silva Supplies" },
  dates: { published: "2026-11-21T09:00:00+05:30" },
  isExpired: false,
};

export const bid = {
  _id: "b",
  stage: "preparing",
  tender: {
    _id: "t",
    title: "Roof of a school",
    organization: "Department of Works",
    closing: "2026-11-29T14:00:00+05:30",
    isClosingDoubtful: false,
    status: "published",
    publishedBy: "newspaper",
    isLocked: false,
  },
};

interface Server {
  /** The query strings of the list requests. */
  queries: string[];
  /** The order in which the saved tenders were asked for. */
  savedOrder: string | null;
  /** How many tenders the supplier has. */
  tenderCount: number;
  subscription: typeof free;
  /** The bids of the board. */
  bids: object[];
  /** The deadlines of the calendar, and the holidays. */
  calendar: { entries: (Record<string, unknown> & { at: string })[]; holidays: object[]; tasks: object[] };
  /** The requests that mark matches. */
  marks: string[];
  /** The registrations of the company, and the query of the tenders that close next. */
  cida: object[];
  nextQuery: URLSearchParams;
  /** The tenders of each page. */
  listed: object[];
  /** The newest matches of the alerts. */
  found: object[];
}

/** What the server knows and was asked. */
export const server = {} as Server;

/** Starts the server before each test. */
export function startServer() {
  server.queries = [];
  server.marks = [];
  server.cida = [];
  server.tenderCount = 1;
  server.subscription = free;
  server.listed = [draft];
  server.found = [newMatch];
  server.bids = [];
  server.calendar = { entries: [], holidays: [], tasks: [] };
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = new URL((input as Request).url);
    const reply = (data: unknown) =>
      new Response(JSON.stringify({ success: true, data }), {
        headers: { "content-type": "application/json" },
      });
    if (url.pathname === "/api/auth/me")
      return reply({ user: { ...user, subscription: server.subscription } });
    if (url.pathname === "/api/tenders") server.nextQuery = url.searchParams;
    if (url.pathname === "/api/tenders")
      return reply({ tenders: [openTender], bidAnswers: [{ answer: "can-bid" }] });
    if (url.pathname === "/api/calendar") {
      const [from, to] = [url.searchParams.get("from") ?? "", url.searchParams.get("to") ?? ""];
      const isAsked = ({ at }: { at: string }) => from <= at.slice(0, 10) && at.slice(0, 10) <= to;
      return reply({ ...server.calendar, entries: server.calendar.entries.filter(isAsked) });
    }
    if (url.pathname === "/api/calendar/holidays") return reply({ holidays: server.calendar.holidays });
    if (url.pathname === "/api/company") {
      return reply({
        company: { cida: server.cida, documents: [{ kind: "tax-clearance", expires: "2026-12-14" }] },
        version: 1,
      });
    }
    if (url.pathname === "/api/bids") return reply({ bids: server.bids, counts: [], people: [] });
    if (url.pathname === "/api/saved/tenders") {
      server.savedOrder = url.searchParams.get("sort");
      return reply({ tenders: [savedTender], bidAnswers: [{ answer: "not-stated" }] });
    }
    if (url.pathname === "/api/alerts/matches") return reply({ matches: server.found });
    if (url.pathname.endsWith("/irrelevance")) {
      server.marks.push(`${(input as Request).method} ${url.pathname}`);
      return reply({});
    }
    server.queries.push(url.search);
    const page = Number(url.searchParams.get("page"));
    const total = Math.ceil(server.tenderCount / 50);
    const pagination = {
      current: page,
      total,
      totalCount: server.tenderCount,
      hasPrev: page > 1,
      hasNext: page < total,
    };
    const items =
      url.searchParams.get("search") === "nothing" || server.tenderCount === 0 ? [] : server.listed;
    const counts = { all: server.tenderCount, live: 0, draft: server.tenderCount, closed: 0 };
    return reply({ tenders: items, items, pagination, counts });
  });
}

/** Opens the page. */
export const open = (address = "/supplier/dashboard") => renderAt(<DashboardPage />, { at: address });

/** A part of the page, by its heading. */
export const section = async (name: string) => {
  const heading = await screen.findByRole("heading", { name });
  return within(heading.closest("section") as HTMLElement);
};
