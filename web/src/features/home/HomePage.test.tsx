import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as HomePage } from "./HomePage.tsx";

const tender = {
  _id: "b",
  title: "Rehabilitation of a bridge",
  language: "en",
  organization: "Department of Works",
  location: { district: "Matara", city: "Weligama" },
  closing: "2026-11-24T14:00:00+05:30",
  publishedBy: "newspaper",
};
const notice = {
  tender,
  publication: "Daily Lanka",
  date: "2026-11-20",
  clipUrl: "/api/clips/ab?until=1&signature=x",
};
const home = {
  closingSoon: [{ ...tender, _id: "c", title: "Supply of chairs", publishedBy: "organisation" }],
  notices: [notice],
  newspapers: [{ name: "Daily Lanka", notices: 12, latestIssue: "2026-11-20" }],
  organizations: [{ _id: "Ports Authority", name: "Ports Authority", count: 3 }],
};
const emptyHome = { closingSoon: [], notices: [], newspapers: [], organizations: [] };
const plan = (name: string, monthly: number, maxTenderViews: number) => ({
  _id: name,
  name,
  displayName: `${name[0]?.toUpperCase()}${name.slice(1)}`,
  price: { monthly, yearly: 10 * monthly },
  features: { maxTenderViews },
});

const stats = {
  totalTenders: 60,
  todayTenders: 4,
  liveTenders: 44,
  closedTenders: 16,
  sectorStats: [],
};

let replies: Record<string, unknown>;

beforeEach(() => {
  session.clear();
  replies = {
    "/api/home": home,
    "/api/tenders/stats": stats,
    "/api/subscriptions/plans": { plans: [plan("free", 0, 10), plan("professional", 5000, 500)] },
  };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const data = replies[new URL((input as Request).url).pathname];
    return new Response(JSON.stringify({ success: true, data }), {
      headers: { "content-type": "application/json" },
    });
  });
});

const open = () => renderAt(<HomePage />, { at: "/", now: "2026-11-21T09:00:00+05:30" });

const linkOf = (text: string) => screen.getByText(text).closest("a");

it("shows real notices and closings", async () => {
  open();
  const clip = await screen.findByAltText("Newspaper clip from Daily Lanka");
  expect(clip).toHaveAttribute("src", notice.clipUrl);
  expect(screen.getByText("Daily Lanka, Fri 20 Nov 2026")).toBeInTheDocument();
  const [heading] = screen.getAllByText(tender.title);
  expect(heading).toHaveAttribute("href", "/tenders/b");
  expect(linkOf("Supply of chairs")).toHaveAttribute("href", "/tenders/c");
  expect(screen.getByText("Published by the organisation itself")).toBeInTheDocument();
  expect(screen.getAllByText("Closing in 3 Days")).toHaveLength(2);
  expect(screen.getByText(/^Only tenders that everyone may read, with a certain title/)).toBeInTheDocument();
});

it("names newspapers and organisations, and shows prices", async () => {
  open();
  expect(await screen.findByText("12 notices · latest issue Fri 20 Nov 2026")).toBeInTheDocument();
  expect(linkOf("Ports Authority")).toHaveAttribute("href", "/buyers/ports-authority");
  expect(await screen.findByText("LKR 5,000")).toBeInTheDocument();
});

it("promises no more than the portal gives", async () => {
  open();
  expect(await screen.findByText(/Of the last 14 days, with basic filters\./)).toBeInTheDocument();
  expect(screen.getByText("Three languages, one list")).toBeInTheDocument();
  expect(screen.queryByText(/search everything|one search|browse everything/i)).not.toBeInTheDocument();
  // Tenders that an organisation publishes have no printed notice.
  expect(screen.queryByText(/always|every tender shows/i)).not.toBeInTheDocument();
  expect(screen.getAllByText(/each printed notice/i)).toHaveLength(2);
});

it("shows an example of a mail about one of the tenders", async () => {
  open();
  const label = await screen.findByText("Example of an alert e-mail");
  const mail = within(label.closest("figure") as HTMLElement);
  expect(mail.getByText(/One new tender matches your alert “Rehabilitation”/)).toBeInTheDocument();
  expect(mail.getByText("Rehabilitation", { selector: "mark" })).toBeInTheDocument();
});

it("says so if all tenders were published today", async () => {
  replies["/api/tenders/stats"] = { ...stats, todayTenders: 60 };
  open();
  expect(await screen.findByText("The portal got its first notices today")).toBeInTheDocument();
});

it("does without notices if the portal is empty", async () => {
  replies["/api/home"] = emptyHome;
  open();
  expect(await screen.findByText("LKR 5,000")).toBeInTheDocument();
  for (const title of ["Closing soon", "Newspapers we read", "Who is buying now"]) {
    expect(screen.queryByText(title)).not.toBeInTheDocument();
  }
  expect(document.querySelector("figure")).toBeNull();
  expect(screen.getByText("How it works")).toBeInTheDocument();
  expect(screen.getByText("Alerts are part of the Professional plan.")).toBeInTheDocument();
  expect(screen.getByText("Register as supplier")).toBeInTheDocument();
});

it("offers a user neither registration nor prices that the user has paid", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  replies["/api/auth/me"] = {
    user: {
      _id: "1",
      firstName: "Kumari",
      role: "supplier",
      subscription: { plan: "basic", features: { emailAlerts: false } },
    },
  };
  open();
  await screen.findByText("My start page");
  expect(linkOf("My start page")).toHaveAttribute("href", "/supplier/dashboard");
  expect(screen.queryByText(/Register|Create an account/)).not.toBeInTheDocument();
  expect(screen.queryByText("LKR 5,000")).not.toBeInTheDocument();
});

it("tells of what closes soon that the documents are no longer sold", async () => {
  const closingSoon = [
    { ...tender, _id: "d", saleUntil: "2026-11-20" },
    { ...tender, _id: "e", title: "Supply of desks", saleUntil: "2026-11-21" },
  ];
  replies["/api/home"] = { ...home, closingSoon };
  open();
  await screen.findByText("Supply of desks");
  expect(screen.getAllByText(/^Documents no longer sold; last day /)).toHaveLength(1);
});
