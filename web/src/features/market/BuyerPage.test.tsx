import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { Component as BuyerPage } from "./BuyerPage.tsx";

const tender = (id: string, title: string) => ({
  _id: id,
  title,
  language: "en",
  organization: "Road Development Authority",
  closing: "2026-12-01T14:00:00+05:30",
  isClosingCertain: true,
});

const nothing = { count: 0, summary: null, tenders: [] };

const buyer = {
  slug: "road-development-authority",
  name: "Road Development Authority",
  open: 12,
  past: 2,
  awards: 0,
  names: ["Road Development Authority", "RDA"],
  openTenders: [tender("1", "Bridge at Galle")],
  pastTenders: [
    tender("3", "Culvert at Matale"),
    { ...tender("2", "Road at Matara"), closing: "2026-11-10T14:00:00+05:30" },
  ],
  categories: [
    { value: "Construction", count: 12, open: 12 },
    { value: null, count: 1, open: 0 },
  ],
  districts: [],
  noticeDays: {
    count: 13,
    summary: { min: 7, lower: 14, median: 20.5, upper: 28, max: 42 },
    tenders: [],
  },
  bondPercentage: nothing,
  bondAmount: {
    count: 3,
    summary: null,
    tenders: [{ tender: "1", title: "Bridge at Galle", value: 250_000 }],
  },
  documentFee: { count: 6, summary: { min: 0, lower: 0, median: 0, upper: 500, max: 1000 }, tenders: [] },
  changes: { changed: 2, extended: 1, days: 14 },
  newestAwards: [],
};

let status: number;
let shown: object;

beforeEach(() => {
  status = 200;
  shown = buyer;
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    const body =
      status === 200 ? { success: true, data: shown } : { success: false, message: "Buyer not found" };
    return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  });
});

it("tells the usual terms, and lists tenders if there are too few", async () => {
  renderAt(<BuyerPage />, { at: "/buyers/rda" });
  await screen.findByRole("heading", { level: 1, name: "Road Development Authority" });
  expect(screen.getByText("Also printed as: RDA")).toBeInTheDocument();
  const terms = within(screen.getByRole("region", { name: "Usual terms" }));
  expect(terms.getByText("Median 20.5 days")).toBeInTheDocument();
  expect(
    terms.getByText(/Half of them between 14 days and 28 days. From 7 days to 42 days./),
  ).toBeInTheDocument();
  expect(terms.getByText("From 13 tenders.")).toBeInTheDocument();
  expect(
    terms.getByText("Not stated in its notices, or not certain: Bid security, in percent"),
  ).toBeInTheDocument();
  expect(terms.getByText("LKR 250,000")).toBeInTheDocument();
  expect(terms.getByText("Too few to tell (3). 2 older tenders are not shown.")).toBeInTheDocument();
  expect(terms.getByText("Median Free")).toBeInTheDocument();
  expect(
    terms.getByText(/2 tenders were changed.*1 closing was extended, by 14 days in all./),
  ).toBeInTheDocument();
});

it("keeps one or two values in a line, with no heading for each tender", async () => {
  const few = { count: 1, summary: null, tenders: [{ tender: "1", title: "Bridge at Galle", value: 14 }] };
  shown = { ...buyer, name: "MINISTRY OF URBAN DEVELOPMENT", noticeDays: few };
  renderAt(<BuyerPage />, { at: "/buyers/rda" });
  await screen.findByRole("heading", { level: 1, name: "Ministry of Urban Development" });
  const terms = within(screen.getByRole("region", { name: "Usual terms" }));
  // It is said once for all terms.
  expect(terms.getAllByText(/^Too few/)).toHaveLength(2);
  expect(terms.getByText("Too few notices to tell what is usual:").parentElement).toHaveTextContent(
    "Too few notices to tell what is usual:Notice period14 days",
  );
  expect(terms.getByRole("link", { name: "14 days" })).toHaveAttribute("href", "/tenders/1");
});

it("keeps the page of a body with one notice short", async () => {
  const few = { count: 1, summary: null, tenders: [{ tender: "1", title: "Bridge at Galle", value: 14 }] };
  const unchanged = { changed: 0, extended: 0, days: 0 };
  const rest = { bondAmount: nothing, documentFee: nothing, changes: unchanged };
  const [name, names] = ["MAHAWELI AUTHORITY OF SRI LANKA", ["Mahaweli Authority of Sri Lanka"]];
  const districts = [{ value: "Galle", count: 1, open: 1 }];
  shown = { ...buyer, ...rest, name, names, open: 1, past: 0, districts, noticeDays: few };
  renderAt(<BuyerPage />, { at: "/buyers/rda" });
  await screen.findByRole("heading", { level: 1, name: "Mahaweli Authority of Sri Lanka" });
  expect(screen.queryByText(/^Also printed/)).toBeNull();
  expect(screen.queryByText("0 past tenders")).toBeNull();
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.getByText(/^Construction ·/)).toHaveTextContent("Construction · Galle");
  const terms = screen.getByRole("region", { name: "Terms in its notice" });
  expect(terms).toHaveTextContent(/Notice period14 days$/);
});

it("has no terms for a body of which only awards are known", async () => {
  const unchanged = { changed: 0, extended: 0, days: 0 };
  const rest = { noticeDays: nothing, bondAmount: nothing, documentFee: nothing, changes: unchanged };
  shown = { ...buyer, ...rest, open: 0, past: 0, awards: 4, openTenders: [], pastTenders: [] };
  renderAt(<BuyerPage />, { at: "/buyers/rda" });
  expect(await screen.findByText("No tender is open now.")).toBeVisible();
  expect(screen.queryByRole("region", { name: "Usual terms" })).toBeNull();
});

it("lists tenders, counts and the way to an alert", async () => {
  renderAt(<BuyerPage />, { at: "/buyers/rda" });
  const open = within(await screen.findByRole("region", { name: "Open tenders" }));
  expect(open.getByRole("link", { name: "Bridge at Galle" })).toHaveAttribute("href", "/tenders/1");
  expect(open.getByRole("link", { name: "Next" })).toHaveAttribute("href", "/buyers/rda?open=2");
  const past = screen.getByRole("region", { name: "Past tenders" });
  expect(past).toHaveTextContent("Culvert at MataleNo longer open");
  expect(past).toHaveTextContent("Road at MataraClosed Tue 10 Nov 2026, 2.00 p.m.");
  const categories = within(screen.getByRole("table", { name: "Categories" }));
  expect(categories.getByRole("row", { name: "Construction 12 of 12" })).toBeInTheDocument();
  expect(categories.getByRole("row", { name: "Not stated 0 of 1" })).toBeInTheDocument();
  const alert = decodeURIComponent(
    screen.getByRole("link", { name: "Alert me about this body with Professional" }).getAttribute("href") ??
      "",
  );
  expect(alert).toContain("/alert-settings?body=Road+Development+Authority");
});

it("leads from its counts to what they count, and leaves out what is empty", async () => {
  renderAt(<BuyerPage />, { at: "/buyers/rda" });
  expect(await screen.findByRole("link", { name: "12 open tenders" })).toHaveAttribute("href", "#open");
  expect(screen.getByRole("link", { name: "2 past tenders" })).toHaveAttribute("href", "#past");
  expect(screen.queryByText("0 awards")).toBeNull();
  expect(screen.queryByRole("region", { name: "Awards" })).toBeNull();
  // The rows do not repeat the name of the page's body.
  expect(screen.getByRole("region", { name: "Open tenders" })).not.toHaveTextContent("Authority");
});

it("says when the last tender closed if none is open, and leads nowhere from it", async () => {
  const closed = { ...tender("2", "Road at Matara"), closing: "2020-11-10T14:00:00+05:30" };
  shown = { ...buyer, open: 0, past: 1, openTenders: [], pastTenders: [closed] };
  const { unmount } = renderAt(<BuyerPage />, { at: "/buyers/rda" });
  const note = await screen.findByText("No open tenders; the last one closed Tue 10 Nov 2020");
  expect(note.closest("a")).toBeNull();
  unmount();
  shown = {
    ...buyer,
    open: 0,
    past: 1,
    openTenders: [],
    pastTenders: [{ ...closed, isClosingCertain: false }],
  };
  renderAt(<BuyerPage />, { at: "/buyers/rda" });
  expect((await screen.findByText("0 open tenders")).closest("a")).toBeNull();
});

it("leads from an unknown body to a search", async () => {
  status = 404;
  renderAt(<BuyerPage />, { at: "/buyers/board-of-x" });
  await screen.findByRole("heading", { level: 2, name: "No page for this body" });
});
