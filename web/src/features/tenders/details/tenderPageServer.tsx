// The server of the tests of a tender's page, and what these tests share.

import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt } from "@/testing/render.tsx";
import { Component as TenderPage } from "./TenderPage.tsx";

export const id = "01939999-0000-7000-8000-000000000001";
export const summary = {
  _id: id,
  title: "Supply of tyres",
  publishedBy: "newspaper",
  organization: { name: "Ports Authority" },
  dates: { closing: "2026-11-26T14:30:00+05:30" },
};
const plans = [
  { name: "free", features: { maxTenderViews: 10 } },
  { name: "basic", features: { maxTenderViews: 100 } },
  { name: "enterprise", features: { maxTenderViews: -1 } },
];

interface Server {
  /** The server's refusal of the details. */
  refusal: Record<string, unknown> | null;
  plan: string;
  /** What the notice has beyond its summary. */
  notice: object;
  bidding: object | null;
  company: object;
  /** The user's bid for the tender, and the tick of the purchase of documents in its checklist. */
  bid: object | null;
  tick: object | null;
}

/** What the server knows. Each test begins with a guest and a tender of which nothing more is known. */
export const server = {} as Server;

/** Starts the server before each test. */
export function startServer() {
  const known: Server = {
    refusal: null,
    plan: "free",
    notice: {},
    bidding: null,
    company: {},
    bid: null,
    tick: null,
  };
  Object.assign(server, known);
  session.clear();
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL((input as Request).url);
    const reply = (body: object, status = 200) =>
      new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
    const user = {
      firstName: "A",
      lastName: "B",
      role: "buyer",
      subscription: { plan: server.plan, features: { emailAlerts: false } },
    };
    if (pathname === "/api/auth/me") return reply({ success: true, data: { user } });
    if (pathname.endsWith("/company")) return reply({ success: true, data: { company: server.company } });
    if (pathname === "/api/calendar/holidays") {
      const holidays = [{ day: "2026-12-25", name: "Christmas Day", isPoya: false }];
      return reply({ success: true, data: { holidays } });
    }
    if (pathname === "/api/subscriptions/plans") return reply({ success: true, data: { plans } });
    if (pathname === "/api/tenders") {
      return reply({ success: true, data: { tenders: [summary], pagination: {} } });
    }
    if (pathname.endsWith("/awards")) return reply({ success: true, data: { awards: [], spreads: [] } });
    if (pathname.endsWith("/similar")) return reply({ success: true, data: { tenders: [] } });
    if (pathname === "/api/bids/b") {
      const checklist = [{ key: "buy-documents", derived: { kind: "buy-documents" }, tick: server.tick }];
      return reply({ success: true, data: { bid: server.bid, checklist } });
    }
    if (pathname.startsWith("/api/saved/")) {
      return reply({ success: false, message: "Saved tenders are part of …", plan: "professional" }, 403);
    }
    const { refusal, notice, bidding, bid } = server;
    if (refusal) {
      const response = reply({ success: false, ...refusal }, Number(refusal.status ?? 403));
      if (refusal.wait) response.headers.set("retry-after", String(refusal.wait));
      return response;
    }
    const statistics = { views: 1, downloads: 0, applications: 0 };
    const open = { status: "published", statistics, isExpired: false, isClosingToday: false };
    const tender = { ...summary, ...open, ...notice };
    return reply({
      success: true,
      data: { tender, intends: false, isSaved: false, fetchesDocuments: false, bidding, bid },
    });
  });
}

export const page = (
  <Routes>
    <Route path="/tenders/:id" element={<TenderPage />} />
    <Route path="*" element={<p>Elsewhere</p>} />
  </Routes>
);

/** Opens the page of the tender. */
export const open = () => renderAt(page, { at: `/tenders/${id}` });

/** A condition, as a guest sees it. */
export const condition = { kind: "grade", path: "cida.0" };

/** The answer to a question in the head of the page. */
export const answerTo = (question: string) =>
  screen
    .getAllByText(question)
    .find(({ tagName, nextElementSibling }) => tagName === "DT" && nextElementSibling?.tagName === "DD")
    ?.nextElementSibling;
