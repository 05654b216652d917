import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { ALL_DISTRICTS } from "@/shared/tender/vocabulary.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as MarketPage } from "./MarketPage.tsx";

let market: object;
/** The bodies with open tenders. */
let organizations: object[];
/** The tenders of the listing, by the query of the request. */
let tenders: (query: URLSearchParams) => object[];

/** The numbers of a value: its open tenders, all, and how many of the open ones are not certain. */
const counted = (value: string | null, open: number, count: number, uncertain = 0) => ({
  value,
  open,
  count,
  uncertain,
});

/** Signs in a user whose plan has the advanced search. */
function signIn() {
  session.open(tokenUntil(4_000_000_000), "r", true);
}

const user = { role: "supplier", subscription: { features: { advancedFiltering: true } } };

afterEach(() => session.clear());

beforeEach(() => {
  tenders = () => [];
  market = {
    total: 86,
    open: 80,
    since: "2026-11-16",
    uncertain: 0,
    uncertainOpen: 0,
    districts: [
      counted(null, 34, 36),
      ...ALL_DISTRICTS.slice(0, 12).map((value, index) => counted(value, 1, 20 - index)),
    ],
    sectors: [counted("construction", 25, 26), counted("it", 0, 4)],
    grades: [],
    months: [
      { month: "2026-10-01", count: 0 },
      { month: "2026-11-01", count: 86 },
    ],
    closings: [{ week: "2026-11-30", count: 9, uncertain: 0 }],
    withoutClosing: 8,
    closingsNotRead: 0,
    shortNotices: [],
  };
  organizations = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = new URL((input as Request).url);
    const found = tenders(url.searchParams);
    const answers: Record<string, object> = {
      "/api/tenders/facets": { organizations },
      "/api/tenders": { tenders: found, pagination: { totalCount: found.length } },
      "/api/auth/me": { user },
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

it("says how many of a number are not certain, and puts what is in no sector last", async () => {
  const sectors = [counted("it", 2, 4, 1), counted("construction", 28, 29), counted(null, 3, 5, 3)];
  market = { ...market, sectors: [...sectors, counted("Other", 6, 6, 2)] };
  renderAt(<MarketPage />, { at: "/market" });
  const table = within(await screen.findByRole("table", { name: "By sector" }));
  expect(table.getAllByRole("row").map(({ textContent }) => textContent)).toEqual([
    "SectorOpen of all",
    "Construction28 of 29",
    "Other6 of 6 2 not certain",
    "IT2 of 4 1 not certain",
    "Not stated3 of 5",
  ]);
  expect(table.getByText("1 not certain").closest("a")).toHaveAttribute(
    "href",
    "/tenders?category=it&hideClosed=true",
  );
  // "Other" is a category, which has no page. The listing of a guest can't leave out registrations.
  const links = table.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links.filter((link) => link?.includes("Other"))).toEqual([]);
});

it("leads from what is in no sector to a list without registrations, where the reader can filter by kind", async () => {
  signIn();
  market = { ...market, sectors: [counted("Other", 6, 6)] };
  renderAt(<MarketPage />, { at: "/market" });
  const link = await screen.findByText("6 of 6", { selector: "a" });
  const query = new URL(link.getAttribute("href") ?? "", "http://x").searchParams;
  expect(query.get("categories")).toBe("Other");
  expect(query.get("kinds")).toBe("purchase|expression-of-interest|sale|corrigendum|award");
  expect(query.get("hideClosed")).toBe("true");
});

it("heads the page of a district with the number of its list", async () => {
  market = { ...market, open: 84, uncertainOpen: 4, total: 91, uncertain: 5 };
  renderAt(<MarketPage />, { at: "/market?district=Galle" });
  const open = await screen.findByText("open tenders, 4 of them with a place that is not certain");
  expect(open.closest("a")).toHaveTextContent(/^84 open/);
  expect(open.closest("a")).toHaveAttribute("href", "/tenders?districts=Galle&hideClosed=true");
  expect(screen.getByText(/^tenders published since .*, 5 of them with a place/)).toBeVisible();
});

it("leads from the grades to the listing if its reader can filter by them", async () => {
  market = { ...market, grades: [counted("C6", 2, 3)] };
  const { unmount } = renderAt(<MarketPage />, { at: "/market" });
  const grades = async () => within(await screen.findByRole("table", { name: "By CIDA grade" }));
  expect((await grades()).getByText("2 of 3").closest("a")).toBeNull();
  unmount();
  signIn();
  renderAt(<MarketPage />, { at: "/market" });
  expect(await screen.findByRole("link", { name: "2 of 3" })).toHaveAttribute(
    "href",
    "/tenders?grades=C6&hideClosed=true",
  );
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
  expect(last()).toHaveTextContent("Not stated34 of 36");
  await userEvent.click(screen.getByRole("button", { name: "Show all 12" }));
  expect(table.getAllByRole("row")).toHaveLength(1 + 12 + 1);
  expect(last()).toHaveTextContent("Not stated34 of 36");
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
    { week: "2026-11-30", count: 2, uncertain: 1 },
    { week: "2026-12-07", count: 0, uncertain: 0 },
  ];
  // The listing of a week has the tender whose closing was not read, too.
  market = { ...market, closings, withoutClosing: 2, closingsNotRead: 1 };
  renderAt(<MarketPage />, { at: "/market?sector=supply" });
  const table = within(await screen.findByRole("table", { name: "Closings in the next weeks" }));
  expect(await table.findByRole("link")).toHaveAttribute(
    "href",
    "/tenders?category=supply&hideClosed=true&closingFrom=2026-11-30&closingUntil=2026-12-06",
  );
  const [, week, ...others] = table.getAllByRole("row");
  expect(week).toHaveTextContent(/^Mon 30 Nov 2026\s*3 2 not certain$/);
  expect(others).toEqual([]);
  expect(screen.getByText(/^close in the week from/).closest("a")).toHaveTextContent(/^3 close/);
  expect(screen.getByText(/^2 open tenders do not state .* counts in every week\.$/)).toBeVisible();
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
  market = { ...market, closings: [{ week: "2026-11-30", count: 0, uncertain: 0 }] };
  market = { ...market, shortNotices: [{ requiredDays: 21, count: 4, short: 1, isMethodStated: true }] };
  organizations = [{ _id: "p", name: "PORTS AUTHORITY OF GALLE", count: 2 }];
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
