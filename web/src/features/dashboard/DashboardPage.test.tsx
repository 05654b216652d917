import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as DashboardPage } from "./DashboardPage.tsx";

const free = { plan: "free", features: { emailAlerts: false } };
const professional = { plan: "professional", features: { emailAlerts: true } };
const user = { _id: "1", firstName: "Kumari", lastName: "Silva", email: "k@example.lk", role: "supplier" };

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
const newMatch = {
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

const draft = {
  _id: "d",
  title: "Supply of chairs",
  status: "draft",
  referenceNo: "FW/1",
  organization: { name: "Silva Supplies" },
  dates: { published: "2026-11-21T09:00:00+05:30" },
  isExpired: false,
};

const bid = {
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

/** The query strings of the list requests. */
let queries: string[];
/** The order in which the saved tenders were asked for. */
let savedOrder: string | null;
/** How many tenders the supplier has. */
let tenderCount: number;
let subscription: typeof free;
/** The bids of the board. */
let bids: object[];
/** The deadlines of the calendar, and the holidays. */
let calendar: { entries: (Record<string, unknown> & { at: string })[]; holidays: object[]; tasks: object[] };
/** The requests that mark matches. */
let marks: string[];
/** The registrations of the company, and the query of the tenders that close next. */
let cida: object[];
let nextQuery: URLSearchParams;
/** The tenders of each page. */
let listed: object[];
/** The newest matches of the alerts. */
let found: object[];

beforeEach(() => {
  queries = [];
  marks = [];
  cida = [];
  tenderCount = 1;
  subscription = free;
  listed = [draft];
  found = [newMatch];
  bids = [];
  calendar = { entries: [], holidays: [], tasks: [] };
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = new URL((input as Request).url);
    const reply = (data: unknown) =>
      new Response(JSON.stringify({ success: true, data }), {
        headers: { "content-type": "application/json" },
      });
    if (url.pathname === "/api/auth/me") return reply({ user: { ...user, subscription } });
    if (url.pathname === "/api/tenders") nextQuery = url.searchParams;
    if (url.pathname === "/api/tenders")
      return reply({ tenders: [openTender], bidAnswers: [{ answer: "can-bid" }] });
    if (url.pathname === "/api/calendar") {
      const [from, to] = [url.searchParams.get("from") ?? "", url.searchParams.get("to") ?? ""];
      const isAsked = ({ at }: { at: string }) => from <= at.slice(0, 10) && at.slice(0, 10) <= to;
      return reply({ ...calendar, entries: calendar.entries.filter(isAsked) });
    }
    if (url.pathname === "/api/calendar/holidays") return reply({ holidays: calendar.holidays });
    if (url.pathname === "/api/company") {
      return reply({
        company: { cida, documents: [{ kind: "tax-clearance", expires: "2026-12-14" }] },
        version: 1,
      });
    }
    if (url.pathname === "/api/bids") return reply({ bids, counts: [], people: [] });
    if (url.pathname === "/api/saved/tenders") {
      savedOrder = url.searchParams.get("sort");
      return reply({ tenders: [savedTender], bidAnswers: [{ answer: "not-stated" }] });
    }
    if (url.pathname === "/api/alerts/matches") return reply({ matches: found });
    if (url.pathname.endsWith("/irrelevance")) {
      marks.push(`${(input as Request).method} ${url.pathname}`);
      return reply({});
    }
    queries.push(url.search);
    const page = Number(url.searchParams.get("page"));
    const total = Math.ceil(tenderCount / 50);
    const pagination = {
      current: page,
      total,
      totalCount: tenderCount,
      hasPrev: page > 1,
      hasNext: page < total,
    };
    const items = url.searchParams.get("search") === "nothing" || tenderCount === 0 ? [] : listed;
    const counts = { all: tenderCount, live: 0, draft: tenderCount, closed: 0 };
    return reply({ tenders: items, items, pagination, counts });
  });
});

const open = (address = "/supplier/dashboard") => renderAt(<DashboardPage />, { at: address });

it("lists a draft without a publication date", async () => {
  open();
  expect(await screen.findByText("FW/1 · Silva Supplies")).toBeInTheDocument();
  expect(queries).toEqual(["?page=1&limit=50"]);
});

it("pages through more than fifty tenders", async () => {
  tenderCount = 53;
  const { router } = open();
  const pages = within(await screen.findByRole("navigation", { name: "Pages" }));
  await userEvent.click(pages.getByRole("link", { name: "Page 2" }));
  expect(router.state.location.search).toBe("?page=2");
  await waitFor(() => expect(queries.at(-1)).toBe("?page=2&limit=50"));
  expect(await screen.findByText("Showing 51 - 51 of 53 tenders")).toBeInTheDocument();
});

it("combines the filters by counter, sector and text, and returns to the first page", async () => {
  tenderCount = 53;
  const { router } = open("/supplier/dashboard?page=2");
  const drafts = await screen.findByRole("button", { name: "53 Drafts" });
  await userEvent.click(drafts);
  expect(drafts).toHaveAttribute("aria-pressed", "true");
  expect(router.state.location.search).toBe("?show=draft");
  await waitFor(() => expect(queries.at(-1)).toBe("?page=1&limit=50&isDraft=true"));
  await userEvent.type(screen.getByRole("searchbox", { name: "Search in tenders" }), " chairs {Enter}");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Category" }), "Supply");
  expect(router.state.location.search).toBe("?show=draft&category=supply&search=chairs");
  await waitFor(() =>
    expect(queries.at(-1)).toBe("?page=1&limit=50&category=supply&search=chairs&isDraft=true"),
  );
  await userEvent.click(screen.getByRole("button", { name: "0 Live" }));
  await waitFor(() => expect(queries.at(-1)).toMatch(/isLive=true$/));
});

it("offers to show all tenders when a search finds none", async () => {
  open("/supplier/dashboard?search=nothing");
  expect(await screen.findByText("None of your tenders matches this filter.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("link", { name: "Show all tenders" }));
  expect(await screen.findByText("Supply of chairs")).toBeInTheDocument();
});

it("has one line for a supplier without tenders, below all lists", async () => {
  tenderCount = 0;
  open();
  expect(await screen.findByText("No tenders yet")).toBeInTheDocument();
  expect(screen.queryByRole("search")).not.toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "0 Live" })).not.toBeInTheDocument();
  expect(screen.getAllByRole("heading", { level: 2 }).at(-1)).toHaveTextContent("My Tenders");
});

it("begins with the tenders of a supplier who has some", async () => {
  open();
  expect(await screen.findByText("FW/1 · Silva Supplies")).toBeInTheDocument();
  expect(screen.getAllByRole("heading", { level: 2 })[0]).toHaveTextContent("My Tenders");
});

const section = async (name: string) => {
  const heading = await screen.findByRole("heading", { name });
  return within(heading.closest("section") as HTMLElement);
};

it("lists new matches, saved tenders and what else closes soon, each tender once", async () => {
  subscription = professional;
  open();
  const closing = await section("Closing soon");
  await closing.findByRole("link", { name: "Repair of a road" });
  const titles = closing.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
  expect(titles).toEqual(["Repair of a road"]);
  const matches = await section("New matches of your alerts");
  expect(await matches.findByRole("link", { name: "A new bridge" })).toHaveAttribute("href", "/tenders/m");
  expect(matches.getByText(/^Alert “Bridges” · /)).toBeInTheDocument();
  expect(matches.getByText(/, not certain$/)).toBeInTheDocument();
  expect(matches.getByText("Department of Works").closest("p")).toHaveTextContent(/Galle \(not certain\)$/);
  const saved = await section("Saved tenders");
  expect(await saved.findByRole("link", { name: "Supply of tyres" })).toBeInTheDocument();
  expect(savedOrder).toBe("closing");
});

it("shows what closes next in the fields of the company", async () => {
  cida = [{ grade: "C5", field: "Building construction" }];
  open();
  const closing = await section("Closing soon");
  expect(
    await closing.findByText("In the fields of your company profile: Construction, Upkeep"),
  ).toBeInTheDocument();
  await closing.findByRole("link", { name: "Repair of a road" });
  // The listing separates the values of a filter in this way.
  expect(nextQuery.get("sectors")).toBe("construction|upkeep");
  expect(nextQuery.get("isLive")).toBe("true");
});

it("answers for each tender of the lists whether the company may bid", async () => {
  subscription = professional;
  open();
  const closing = await section("Closing soon");
  expect(await closing.findByText("You can bid")).toBeInTheDocument();
  const matches = await section("New matches of your alerts");
  expect(await matches.findByText("Missing: CIDA C5")).toBeInTheDocument();
  expect(matches.getByText("Documents no longer sold; last day Fri 20 Nov 2026")).toBeInTheDocument();
  const saved = await section("Saved tenders");
  expect(await saved.findByText("Does not say who may bid")).toBeInTheDocument();
});

it("counts today and the seven days after it as the next days", async () => {
  const step = { stage: "preparing", kind: "closing", organization: "", isCancelled: false };
  const closing = (title: string, day: string) => ({
    ...step,
    tenderId: title,
    bidId: title,
    title,
    at: `${day}T14:00:00+05:30`,
  });
  calendar.entries = [closing("In seven days", "2026-11-28"), closing("In eight days", "2026-11-29")];
  open();
  const week = await section("To do in the next 7 days");
  expect(await week.findByRole("link", { name: "In seven days" })).toBeInTheDocument();
  expect(week.queryByRole("link", { name: "In eight days" })).toBeNull();
});

it("begins with what must be done this week", async () => {
  subscription = professional;
  bids = [bid];
  const step = { tenderId: "t", bidId: "b", title: bid.tender.title, organization: "", isCancelled: false };
  calendar.entries = [
    { ...step, stage: "preparing", kind: "sale-ends", at: "2026-11-23T23:59:59+05:30" },
    { ...step, stage: "preparing", kind: "closing", at: "2026-11-26T14:00:00+05:30" },
    {
      ...step,
      tenderId: "s",
      bidId: null,
      stage: null,
      title: "Supply of tyres",
      kind: "closing",
      at: "2026-11-25T14:00:00+05:30",
    },
  ];
  calendar.holidays = [{ day: "2026-11-24", name: "Il Full Moon Poya Day", isPoya: true }];
  open();
  const week = await section("To do in the next 7 days");
  expect(await week.findByRole("link", { name: "Roof of a school" })).toHaveAttribute("href", "/bids/b");
  expect(week.getByText("Sale of documents ends")).toBeInTheDocument();
  expect(await week.findByText("Tue 24 Nov 2026 is a Poya day")).toBeInTheDocument();
  expect(week.getByRole("link", { name: /^Tax clearance/ })).toHaveAttribute(
    "href",
    "/account/company#documents",
  );
  expect(week.getByText("Mon 14 Dec 2026")).toBeInTheDocument();
  expect(week.getByText("What expires is listed a month before.")).toBeInTheDocument();
  // A tender stands on the page once, if this row tells when it closes.
  expect(screen.getAllByRole("link", { name: "Roof of a school" })).toHaveLength(1);
  await waitFor(() => expect(screen.getAllByRole("link", { name: "Supply of tyres" })).toHaveLength(1));
  const saved = await section("Saved tenders");
  expect(saved.getByText(/are in the lists above or on your board/)).toBeInTheDocument();
});

it("lists the tasks of the week by day among the steps, and says which are late", async () => {
  bids = [bid];
  const step = { tenderId: "t", bidId: "b", title: bid.tender.title, organization: "", isCancelled: false };
  calendar.entries = [{ ...step, stage: "preparing", kind: "closing", at: "2026-11-25T14:00:00+05:30" }];
  const task = {
    bidId: "b",
    stage: "preparing",
    tenderId: "t",
    tenderTitle: bid.tender.title,
    organization: "",
  };
  calendar.tasks = [
    { ...task, _id: "k1", title: "Ask the bank", due: "2026-11-19", assignee: null },
    { ...task, _id: "k2", title: "Pack the envelope", due: "2026-11-25", assignee: "Kumari Silva" },
  ];
  open();
  const week = await section("To do in the next 7 days");
  await week.findByRole("link", { name: "Roof of a school" });
  const lines = week.getAllByRole("listitem").map(({ textContent }) => textContent ?? "");
  const own = lines.filter((line) => /^(Wed|Thu)/.test(line));
  expect(own).toEqual([
    "Thu 19 Nov 2026 (late)Task: Ask the bank",
    expect.stringMatching(/^Wed 25 Nov 2026, 2.00 p.m.Bids close/),
    "Wed 25 Nov 2026Task: Pack the envelopeKumari Silva",
  ]);
});

it("lists the user's own bids among other tenders by closing, without those that have a step before", async () => {
  const inWeek = { ...bid, _id: "w", tender: { ...bid.tender, _id: "w", title: "Walls of a school" } };
  bids = [bid, inWeek, { ...bid, _id: "x", stage: "submitted", tender: { ...bid.tender, _id: "o" } }];
  const step = {
    tenderId: "w",
    bidId: "w",
    title: "Walls of a school",
    organization: "",
    isCancelled: false,
  };
  calendar.entries = [{ ...step, stage: "preparing", kind: "sale-ends", at: "2026-11-23T23:59:59+05:30" }];
  open();
  const closing = await section("Closing soon");
  await closing.findByRole("link", { name: "Roof of a school" });
  const titles = closing.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
  // Nothing is left to do for a bid that is submitted.
  expect(titles).toEqual(["Roof of a school"]);
  expect(closing.getByRole("link", { name: "On your board: Preparing" })).toHaveAttribute("href", "/bids/b");
  expect(closing.getByText(/^Left out: sales, tenders in the other lists here/)).toBeInTheDocument();
});

it("leads from the bids that close later to the board with all of them", async () => {
  bids = Array.from({ length: 12 }, (_, at) => {
    const tender = { ...bid.tender, _id: `t${at}`, title: `Roof ${at}` };
    return { ...bid, _id: `b${at}`, tender };
  });
  open();
  const closing = await section("Closing soon");
  expect(await closing.findByRole("link", { name: "All 12 bids" })).toHaveAttribute("href", "/bids");
});

it("says of matches on the board only what it knows", async () => {
  subscription = professional;
  bids = [{ ...bid, tender: { ...bid.tender, _id: "m" } }];
  open();
  const matches = await section("New matches of your alerts");
  expect(await matches.findByText(/^The newest match is saved or on your board/)).toBeInTheDocument();
});

it("says which of the newest matches are left out", async () => {
  subscription = professional;
  found = [newMatch, { ...newMatch, _id: "s" }];
  open();
  const matches = await section("New matches of your alerts");
  expect(await matches.findByText("Saved ones and those on your board are left out.")).toBeInTheDocument();
  expect(matches.getAllByRole("listitem")).toHaveLength(1);
});

it("marks a match as irrelevant, and removes the mark", async () => {
  subscription = professional;
  open();
  const matches = await section("New matches of your alerts");
  await userEvent.click(await matches.findByRole("button", { name: "Not relevant" }));
  await userEvent.click(await matches.findByRole("button", { name: "Relevant after all" }));
  expect(await matches.findByRole("button", { name: "Not relevant" })).toBeInTheDocument();
  expect(marks).toEqual([
    "PUT /api/alerts/a/matches/m/irrelevance",
    "DELETE /api/alerts/a/matches/m/irrelevance",
  ]);
});

it("says in a line what a plan would add", async () => {
  open();
  const matches = await section("New matches of your alerts");
  expect(matches.getByText(/With Professional, alerts find new tenders/)).toBeInTheDocument();
  expect(matches.getByRole("link", { name: "See the plans" })).toHaveAttribute("href", "/pricing");
  const closing = await section("Closing soon");
  expect(await closing.findByRole("link", { name: "Repair of a road" })).toBeInTheDocument();
});

it("shows how many readers a published tender has, and offers no form for a withdrawn one", async () => {
  const statistics = { views: 12, downloads: 0, applications: 1 };
  listed = [
    { ...draft, _id: "p", title: "Live", status: "published", statistics },
    { ...draft, _id: "w", title: "Gone", status: "withdrawn", statistics: { ...statistics, views: 1 } },
  ];
  open();
  expect(await screen.findByText("Opened 12 times")).toBeInTheDocument();
  expect(screen.getByText("Opened once")).toBeInTheDocument();
  expect(screen.getAllByText("1 supplier intends to bid")).toHaveLength(2);
  expect(screen.getByText("Withdrawn")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Edit Live" })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Edit Gone" })).not.toBeInTheDocument();
});

it("tells a publisher of a closing on a day without offices", async () => {
  const statistics = { views: 0, downloads: 0, applications: 0 };
  const dates = { published: "2026-11-20T09:00:00+05:30", closing: "2026-11-28T14:00:00+05:30" };
  listed = [{ ...draft, _id: "p", title: "Paint a ward", status: "published", statistics, dates }];
  open();
  const week = await section("To do in the next 7 days");
  expect(await week.findByText("Sat 28 Nov 2026 is a weekend day")).toBeInTheDocument();
  const own = await section("My Tenders");
  expect(own.getByText("Sat 28 Nov 2026 is a weekend day")).toBeInTheDocument();
});

it("tells a publisher what closes this week and what waits, and nothing that only bidders need", async () => {
  const statistics = { views: 0, downloads: 0, applications: 0 };
  listed = [
    {
      ...draft,
      _id: "p",
      title: "Paint a ward",
      status: "published",
      statistics,
      dates: { published: "2026-11-20T09:00:00+05:30", closing: "2026-11-24T23:59:59+05:30" },
    },
  ];
  open();
  const week = await section("To do in the next 7 days");
  expect(await week.findByRole("link", { name: "Paint a ward" })).toHaveAttribute("href", "/tenders/p");
  expect(week.getByText("Your own tender · Nobody intends to bid yet")).toBeInTheDocument();
  const own = await section("My Tenders");
  expect(own.getByText("Closes Tue 24 Nov 2026, hour not stated")).toBeInTheDocument();
  expect(own.getByText("Nobody has opened it yet")).toBeInTheDocument();
  expect(own.getByRole("link", { name: /add the hour$/ })).toHaveAttribute(
    "href",
    "/supplier/tenders/p/edit",
  );
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Closing soon" })).toBeNull());
  expect(screen.queryByRole("link", { name: "See the plans" })).toBeNull();
});
