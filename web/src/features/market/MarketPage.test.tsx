import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { ALL_DISTRICTS } from "@/shared/tender/vocabulary.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as MarketPage } from "./MarketPage.tsx";

let market: object;
/** The numbers of the listing, by the query of the request. */
let facets: (query: URLSearchParams) => object;
/** The counters of the listing, by the query of the request. */
let stats: (query: URLSearchParams) => object;
/** The tenders of the listing, by the query of the request. */
let tenders: (query: URLSearchParams) => object[];

const listed = (_id: string, count: number) => ({ _id, name: _id, count });

/** Signs in a user whose plan has the advanced search. */
function signIn() {
  session.open(tokenUntil(4_000_000_000), "r", true);
}

const user = { role: "supplier", subscription: { features: { advancedFiltering: true } } };

afterEach(() => session.clear());

beforeEach(() => {
  tenders = () => [];
  stats = () => ({ totalTenders: 86, liveTenders: 80, categoryStats: [] });
  market = {
    total: 86,
    open: 80,
    since: "2026-11-16",
    districts: [
      { value: null, count: 36, open: 34 },
      ...ALL_DISTRICTS.slice(0, 12).map((value, index) => ({ value, count: 20 - index, open: 1 })),
    ],
    sectors: [
      { value: "construction", count: 26, open: 25 },
      { value: "it", count: 4, open: 0 },
    ],
    grades: [],
    months: [
      { month: "2026-10-01", count: 0 },
      { month: "2026-11-01", count: 86 },
    ],
    closings: [{ week: "2026-11-30", count: 9 }],
    closingsNotCertain: 8,
    shortNotices: [],
  };
  facets = () => ({
    sectors: [listed("construction", 25)],
    districts: [],
    grades: [],
  });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = new URL((input as Request).url);
    const found = tenders(url.searchParams);
    const answers: Record<string, object> = {
      "/api/tenders/facets": facets(url.searchParams),
      "/api/tenders": { tenders: found, pagination: { totalCount: found.length } },
      "/api/auth/me": { user },
      "/api/tenders/stats": stats(url.searchParams),
    };
    return Response.json({ success: true, data: answers[url.pathname] ?? market });
  });
});

it("leads from every number that the listing can show to the listing", async () => {
  renderAt(<MarketPage />, { at: "/market" });
  const link = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  // A search by role in this page takes most of a second.
  await screen.findByText("By district", {}, { timeout: 4_000 });
  expect(link("80 open tenders")).toBe("/tenders?hideClosed=true");
  expect(link("86 tenders published since Mon 16 Nov 2026")).toBe("/tenders");
  expect(link("25 of 26")).toBe("/tenders?category=construction&hideClosed=true");
  expect(link("Construction")).toBe("/market/sectors/construction");
  expect(screen.getByText("0 of 4").closest("a")).toBeNull();
  expect(screen.getByText(/close in the week from Mon 30 Nov 2026/)).toHaveTextContent(/^close/);
});

it("has the numbers of the listing to which it leads, and counts no tender twice", async () => {
  const unknown = { value: null, count: 10, open: 9 };
  market = { ...market, sectors: [...(market as { sectors: object[] }).sectors, unknown] };
  facets = (query) => {
    const closed = query.get("hideClosed") === "true" ? 0 : 1;
    return {
      sectors: [listed("it", 2), listed("construction", 28 + closed), listed("supply", 1 + closed)],
      districts: [],
      grades: [],
    };
  };
  renderAt(<MarketPage />, { at: "/market" });
  // 25 + 3 and 0 + 2 open tenders, and a sector of which no tender is certain.
  const table = within(await screen.findByRole("table", { name: "By sector" }));
  expect(table.getAllByRole("row").map(({ textContent }) => textContent)).toEqual([
    "SectorOpen of all",
    "Construction28 of 29 3 not certain",
    "IT2 of 4 2 not certain",
    "Supply1 of 2 1 not certain",
    "Not stated3 of 5",
  ]);
  const link = table.getByText("2 not certain").closest("a");
  expect(link).toHaveAttribute("href", "/tenders?category=it&hideClosed=true");
});

it("puts the districts with the most listed open tenders first", async () => {
  const [first = "", second = ""] = ALL_DISTRICTS;
  facets = () => ({ sectors: [], districts: [listed(first, 1), listed(second, 5)], grades: [] });
  renderAt(<MarketPage />, { at: "/market" });
  const table = within(await screen.findByRole("table", { name: "By district" }));
  const [, top, next] = table.getAllByRole("row");
  expect(top).toHaveTextContent(`${second}5 of 19 4 not certain`);
  expect(next).toHaveTextContent(`${first}1 of 20`);
});

it("heads the page of a district with the number of its list", async () => {
  const count = (query: URLSearchParams) => (query.get("hideClosed") === "true" ? 84 : 91);
  facets = (query) => ({ sectors: [], districts: [listed("Galle", count(query))], grades: [] });
  renderAt(<MarketPage />, { at: "/market?district=Galle" });
  const open = await screen.findByText("open tenders, 4 of them with a place that is not certain");
  expect(open.closest("a")).toHaveTextContent(/^84 open/);
  expect(open.closest("a")).toHaveAttribute("href", "/tenders?districts=Galle&hideClosed=true");
  expect(screen.getByText(/^tenders published since .*, 5 of them with a place/)).toBeVisible();
});

it("leads from the grades to the listing if its reader can filter by them", async () => {
  market = { ...market, grades: [{ value: "C6", count: 3, open: 2 }] };
  const { unmount } = renderAt(<MarketPage />, { at: "/market" });
  const grades = async () => within(await screen.findByRole("table", { name: "By CIDA grade" }));
  expect((await grades()).getByText("2 of 3").closest("a")).toBeNull();
  unmount();
  facets = () => ({ sectors: [], districts: [], grades: [listed("C6", 2), listed("C99", 1)] });
  renderAt(<MarketPage />, { at: "/market" });
  const link = (await grades()).getByRole("link", { name: "2 of 3" });
  expect(link).toHaveAttribute("href", "/tenders?grades=C6&hideClosed=true");
  expect(screen.queryByText("C99")).toBeNull();
});

it("puts the share that rests on a stated method first, and names the assumption of the other", async () => {
  const row = { requiredDays: 21, count: 33, short: 17, isMethodStated: false };
  market = { ...market, shortNotices: [row, { ...row, count: 10, short: 1, isMethodStated: true }] };
  renderAt(<MarketPage />, { at: "/market" });
  const table = within(await screen.findByRole("table", { name: "Short notices" }));
  const [, stated, assumed] = table.getAllByRole("row");
  expect(stated).toHaveTextContent(/^National competitive bidding.*10 %$/);
  expect(assumed).toHaveTextContent(/^Method not stated.*52 %if 21 days apply$/);
});

it("shows ten districts, then all, and what is not stated last", async () => {
  renderAt(<MarketPage />, { at: "/market" });
  const table = within(await screen.findByRole("table", { name: "By district" }));
  const last = () => table.getAllByRole("row").at(-1);
  expect(table.getAllByRole("row")).toHaveLength(1 + 10 + 1);
  expect(last()).toHaveTextContent("Not stated or not certain34 of 36");
  await userEvent.click(screen.getByRole("button", { name: "Show all 12" }));
  expect(table.getAllByRole("row")).toHaveLength(1 + 12 + 1);
  expect(last()).toHaveTextContent("Not stated or not certain34 of 36");
});

it("leaves out months before the first tender, and a chart of one month", async () => {
  renderAt(<MarketPage />, { at: "/market" });
  await screen.findByRole("table", { name: "By sector" });
  expect(screen.queryByRole("table", { name: "By month" })).toBeNull();
});

it("leads from a part without tenders to the whole market", async () => {
  market = { ...market, total: 0, open: 0 };
  renderAt(<MarketPage />, { at: "/market?district=Galle" });
  await screen.findByRole("heading", { name: "No tender fits." });
  expect(screen.getAllByRole("link", { name: "The whole market" }).at(-1)).toHaveAttribute("href", "/market");
});

/** An open tender, as the listing has it. */
const tender = (title: string) => ({
  _id: title,
  title,
  status: "published",
  organization: { name: "Ports Authority" },
  dates: { closing: "2026-12-02T14:30:00+05:30" },
});

it("leads from each week to the tenders that close in it, as many as it says", async () => {
  signIn();
  const closings = [
    { week: "2026-11-30", count: 2 },
    { week: "2026-12-07", count: 0 },
  ];
  market = { ...market, closings };
  tenders = (query) => (query.get("closingFrom") === "2026-11-30" ? ["a", "b", "c"].map(tender) : []);
  renderAt(<MarketPage />, { at: "/market?sector=supply" });
  const table = within(await screen.findByRole("table", { name: "Closings in the next weeks" }));
  const [, week, ...others] = table.getAllByRole("row");
  expect(week).toHaveTextContent(/^Mon 30 Nov 2026\s*3 1 not certain$/);
  expect(others).toEqual([]);
  const list = "/tenders?category=supply&hideClosed=true&closingFrom=2026-11-30&closingUntil=2026-12-06";
  expect(table.getByRole("link")).toHaveAttribute("href", list);
  expect(screen.getByText(/^close in the week from/).closest("a")).toHaveAttribute("href", list);
});

it("leads guests, who can't filter by closings, to the list in their order", async () => {
  renderAt(<MarketPage />, { at: "/market" });
  const link = await screen.findByText("List of open tenders, next closing first");
  expect(link).toHaveAttribute("href", "/tenders?hideClosed=true&sort=closing");
  const row = screen.getByText("Mon 30 Nov 2026").closest("tr");
  expect(row).toHaveTextContent(/9$/);
  expect(row?.querySelector("a")).toBeNull();
});

it("begins a district's page with its open tenders and leaves out what is empty", async () => {
  market = { ...market, closings: [{ week: "2026-11-30", count: 0 }] };
  market = { ...market, shortNotices: [{ requiredDays: 21, count: 4, short: 1, isMethodStated: true }] };
  facets = () => ({
    sectors: [],
    districts: [listed("Galle", 80)],
    grades: [],
    organizations: [listed("PORTS AUTHORITY OF GALLE", 2)],
  });
  tenders = (query) => (query.get("sort") === "closing" ? [tender("Repair of a quay")] : []);
  renderAt(<MarketPage />, { at: "/market?district=Galle" });
  const first = await screen.findByText("Repair of a quay", {}, { timeout: 4_000 });
  expect(first.closest("a")).toHaveAttribute("href", "/tenders/Repair%20of%20a%20quay");
  expect(screen.getByText("All 80 open tenders")).toHaveAttribute(
    "href",
    "/tenders?districts=Galle&hideClosed=true&sort=closing",
  );
  const bodies = within(screen.getByRole("table", { name: "Who invites bids now" }));
  expect(bodies.getByRole("row", { name: /^Ports Authority of Galle/ })).toHaveTextContent(/2$/);
  expect(screen.queryByText("Closings in the next weeks")).toBeNull();
  expect(screen.queryByText("Short notices")).toBeNull();
});

it("states no closings of a week that the list below it contradicts", async () => {
  market = { ...market, open: 3, closings: [{ week: "2026-11-30", count: 0 }], closingsNotCertain: 1 };
  facets = () => ({ sectors: [], districts: [listed("Galle", 5)], grades: [] });
  tenders = (query) => (query.get("sort") === "closing" ? [tender("Repair of a quay")] : []);
  const { unmount } = renderAt(<MarketPage />, { at: "/market?district=Galle" });
  await screen.findByText("Repair of a quay", {}, { timeout: 4_000 });
  expect(screen.queryByText(/^close in the week from/)).toBeNull();
  unmount();
  market = { ...market, closings: [{ week: "2026-11-30", count: 1 }] };
  renderAt(<MarketPage />, { at: "/market?district=Galle" });
  const figure = await screen.findByText(/^close in the week from/, {}, { timeout: 4_000 });
  expect(figure.closest("p")).toHaveTextContent(/^1 close/);
  // One closes in the week, one later. The others are one without a closing, and two with a place in doubt.
  expect(
    screen.getByText("3 more open tenders have a place that is not certain, or no certain closing."),
  ).toBeVisible();
});

it("has a row for each open tender of a district, those of no sector as of the category Other", async () => {
  const sectors = [
    { value: "construction", count: 4, open: 4 },
    { value: null, count: 1, open: 1 },
  ];
  market = { ...market, total: 5, open: 5, sectors };
  facets = () => ({
    sectors: [listed("construction", 4), listed("services", 1)],
    districts: [listed("Galle", 6)],
    grades: [],
  });
  const categories = [listed("Construction", 4), listed("Catering Services", 1), listed("Other", 1)];
  stats = () => ({ totalTenders: 6, liveTenders: 6, categoryStats: categories });
  const { unmount } = renderAt(<MarketPage />, { at: "/market?district=Galle" });
  const rows = async () => {
    const table = within(await screen.findByRole("table", { name: "By sector" }, { timeout: 4_000 }));
    return table.getAllByRole("row").map(({ textContent }) => textContent);
  };
  const stated = ["SectorOpen of all", "Construction4 of 4", "Services1 of 1 1 not certain"];
  expect(await rows()).toEqual([...stated, "Other1 of 1"]);
  unmount();
  stats = () => ({ totalTenders: 6, liveTenders: 6, categoryStats: categories.slice(0, 2) });
  renderAt(<MarketPage />, { at: "/market?district=Galle" });
  expect(await rows()).toEqual([...stated, "Not stated1 of 1"]);
});
