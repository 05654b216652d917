import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { TendersPage } from "./TendersPage.tsx";

/** The query strings of the list requests. */
let queries: string[];
/** What the listed tender has beyond its summary. */
let more: object;
/** What the list has beside its tenders. */
let beside: object;
/** The bids on the user's board. */
let bids: object[];
/** The number of tenders in the list. */
let total: number;

const stats = {
  totalTenders: 23,
  todayTenders: 4,
  liveTenders: 20,
  closedTenders: 3,
  supplierCount: 2,
  categoryStats: Array.from({ length: 8 }, (_, n) => ({ _id: `C${n}`, name: `Category ${n}`, count: n })),
  sectorStats: [{ _id: "supply", name: "supply", count: 7 }],
};

/** The counts of a search. All parameters together find six tenders. */
function statsWithin(query: URLSearchParams) {
  const [live, closed] = query.has("districts") ? [4, 5] : [4, 2];
  return {
    ...stats,
    totalTenders: live + closed,
    todayTenders: 1,
    liveTenders: live,
    closedTenders: closed,
    categoryStats: [
      { _id: "Vehicles", name: "Vehicles", count: 6 },
      { _id: "Furniture", name: "Furniture", count: 0 },
    ],
    sectorStats: [{ _id: "supply", name: "supply", count: 3 }],
  };
}

const facets = {
  sectors: [{ _id: "supply", name: "supply", count: 3 }],
  districts: [{ _id: "Matara", name: "Matara", count: 2 }],
  statuses: [
    { _id: "today", name: "today", count: 1 },
    { _id: "live", name: "live", count: 4 },
    { _id: "closed", name: "closed", count: 5 },
  ],
  total: 9,
};

const tender = {
  _id: "01939999-0000-7000-8000-000000000001",
  title: "Supply of tyres",
  status: "published",
  organization: { name: "Ports Authority" },
  dates: { closing: "2026-11-26T14:30:00+05:30" },
  isClosingToday: false,
  isExpired: false,
};

const user = { role: "supplier", subscription: { plan: "professional", features: {} } };

function reply(data: unknown, status = 200): Response {
  const body = status < 400 ? { success: true, data } : { success: false, message: data };
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

function answer(url: URL): Response {
  if (url.pathname === "/api/tenders/stats") {
    const isSearch = url.searchParams.has("search") || url.searchParams.has("districts");
    return reply(isSearch ? statsWithin(url.searchParams) : stats);
  }
  if (url.pathname === "/api/tenders/facets") return reply(facets);
  if (url.pathname === "/api/auth/me") return reply({ user });
  if (url.pathname === "/api/bids") return reply({ bids, counts: [], quota: null, people: [] });
  if (url.pathname !== "/api/tenders") return reply("Not found", 404);
  queries.push(url.search);
  const page = Number(url.searchParams.get("page"));
  if (url.searchParams.get("search") === "nothing") {
    const pagination = { current: 1, total: 0, totalCount: 0, hasPrev: false, hasNext: false };
    return reply({ tenders: [], pagination });
  }
  if (url.searchParams.get("search") === "refused") return reply("The search is too long", 422);
  const pagination = { current: page, total: 3, totalCount: total, hasPrev: page > 1, hasNext: page < 3 };
  return reply({ tenders: [{ ...tender, ...more }], pagination, ...beside });
}

beforeEach(() => {
  window.localStorage.clear();
  queries = [];
  more = {};
  beside = {};
  bids = [];
  total = 23;
  session.clear();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    answer(new URL((request as Request).url)),
  );
});

const findCard = () => screen.findByRole("article", { name: "Supply of tyres" });

it("shows the number and the range of tenders", async () => {
  renderAt(<TendersPage />, { at: "/tenders" });
  const card = await findCard();
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("PUBLISHED TENDERS: 23");
  expect(screen.getByText("Showing 1 - 1 of 23 tenders")).toBeInTheDocument();
  expect(within(card).getByText("Thu 26 Nov 2026, 2.30 p.m.")).toBeInTheDocument();
  expect(within(card).getByText("Closing in 5 Days")).toBeInTheDocument();
  expect(queries).toEqual(["?page=1&limit=10"]);
});

it("links each title to the tender's page, and opens the details in the list with a button", async () => {
  const { router } = renderAt(<TendersPage />, { at: "/tenders" });
  const card = await findCard();
  const link = within(card).getByRole("link", { name: "Supply of tyres" });
  expect(link).toHaveAttribute("href", `/tenders/${tender._id}`);
  const toggle = within(card).getByRole("button", { name: "View Details: Supply of tyres" });
  await userEvent.click(toggle);
  expect(toggle).toHaveAttribute("aria-expanded", "true");
  expect(router.state.location.pathname).toBe("/tenders");
  await userEvent.click(link);
  expect(router.state.location.pathname).toBe(`/tenders/${tender._id}`);
});

it("shows no number, not zero, while the statistics fail", async () => {
  const unavailable = "The search is not available at the moment.";
  vi.mocked(globalThis.fetch).mockImplementation(async (request) => {
    const url = new URL((request as Request).url);
    return url.pathname === "/api/tenders/stats" ? reply(unavailable, 422) : answer(url);
  });
  renderAt(<TendersPage />, { at: "/tenders" });
  await findCard();
  expect(await screen.findByText(`Error loading statistics: ${unavailable}`)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "– Live" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Supply" })).toBeInTheDocument();
  expect(screen.queryByText("Nothing counted yet.")).not.toBeInTheDocument();
});

it("lists six categories as text, and sectors as filters", async () => {
  const { router } = renderAt(<TendersPage />, { at: "/tenders?show=live&page=2" });
  expect(await screen.findByText("Category 5")).toBeInTheDocument();
  expect(screen.queryByText("Category 6")).not.toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /Category/ })).not.toBeInTheDocument();

  await userEvent.click(screen.getByRole("button", { name: "Supply 7" }));
  expect(router.state.location.search).toBe("?category=supply");
  await waitFor(() => expect(queries.at(-1)).toBe("?page=1&limit=10&category=supply"));
});

it("keeps the counts that ignore who may bid, and says so", async () => {
  renderAt(<TendersPage />, { at: "/tenders?mayBid=true" });
  await findCard();
  const category = await screen.findByText("Category 5");
  expect(category.parentElement).toHaveTextContent(/^Category 5 \d+$/);
  expect(screen.getByRole("button", { name: "Supply 7" })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "– Live" })).not.toBeInTheDocument();
  expect(
    await screen.findByText(/count all tenders, also those that you cannot bid for/),
  ).toBeInTheDocument();
  expect(await screen.findByText("23 of them state no condition.")).toBeInTheDocument();
  expect(queries).toContain("?page=1&limit=1&bidAnswers=not-stated");
});

it("searches for a sector and a text together, from page 1", async () => {
  const { router } = renderAt(<TendersPage />, { at: "/tenders?page=3" });
  await findCard();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Category" }), "IT");
  await userEvent.type(screen.getByRole("combobox", { name: "Search in tenders" }), " server room {Enter}");
  expect(router.state.location.search).toBe("?category=it&search=server+room");
  expect(screen.getByRole("combobox", { name: "Search in tenders" })).toHaveFocus();
});

it("clears the search when a card is chosen, and the card's filter when its chip is pressed", async () => {
  const { router } = renderAt(<TendersPage />, { at: "/tenders?search=pump" });
  await findCard();
  await userEvent.click(await screen.findByRole("button", { name: "3 Closed" }));
  expect(router.state.location.search).toBe("?show=closed");
  expect(screen.getByRole("combobox", { name: "Search in tenders" })).toHaveValue("");
  await userEvent.click(screen.getByRole("button", { name: "Clear the filter: Closed Tenders" }));
  expect(router.state.location.search).toBe("");
});

it("keeps the filter in the address of every page", async () => {
  renderAt(<TendersPage />, { at: "/tenders?show=live&page=2" });
  await findCard();
  const pages = within(screen.getByRole("navigation", { name: "Pages" }));
  expect(pages.getByRole("link", { name: "Next" })).toHaveAttribute("href", "/tenders?show=live&page=3");
  expect(pages.getByRole("link", { name: "Page 1" })).toHaveAttribute("href", "/tenders?show=live");
  expect(pages.getByRole("link", { name: "Page 2" })).toHaveAttribute("aria-current", "page");
});

it("offers to show all tenders if a search has no results", async () => {
  renderAt(<TendersPage />, { at: "/tenders?search=nothing" });
  expect(await screen.findByRole("heading", { name: "No tenders found" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Show all tenders" })).toBeInTheDocument();
});

it("shows the server's message when the list is refused", async () => {
  renderAt(<TendersPage />, { at: "/tenders?search=refused" });
  expect(await screen.findByRole("alert")).toHaveTextContent("Error loading tenders: The search is too long");
});

it("counts the sectors of the search, and keeps the search when a sector is chosen", async () => {
  const { router } = renderAt(<TendersPage />, { at: "/tenders?search=pump" });
  await userEvent.click(await screen.findByRole("button", { name: "Supply 3" }));
  expect(router.state.location.search).toBe("?category=supply&search=pump");
  // A card starts a new list, so it counts all tenders.
  expect(screen.getByRole("button", { name: "3 Closed" })).toBeInTheDocument();
});

it("counts the categories of the search, without those that it does not find", async () => {
  renderAt(<TendersPage />, { at: "/tenders?search=pump" });
  const vehicles = await screen.findByText("Vehicles", { selector: "li > span" });
  expect(vehicles.parentElement).toHaveTextContent("Vehicles 6");
  expect(screen.queryByText("Furniture", { selector: "li > span" })).not.toBeInTheDocument();
});

it("counts in each card what the list shows after the card is chosen", async () => {
  // A card keeps the districts and the switch, and drops the province.
  renderAt(<TendersPage />, { at: "/tenders?provinces=Uva&districts=Badulla&hideClosed=true" });
  await findCard();
  expect(await screen.findByRole("button", { name: "9 All" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "4 Live" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "5 Closed" })).toBeInTheDocument();
  const asked = vi.mocked(globalThis.fetch).mock.calls.map(([request]) => new URL((request as Request).url));
  const ofCards = asked
    .filter(({ pathname }) => pathname === "/api/tenders/stats")
    .map(({ search }) => search);
  expect(ofCards).toContain("?districts=Badulla");
});

it("filters by districts, whose counts are loaded when the menu opens", async () => {
  const { router } = renderAt(<TendersPage />, { at: "/tenders" });
  await findCard();
  await userEvent.click(screen.getByRole("button", { name: "All districts" }));
  await userEvent.click(await screen.findByRole("checkbox", { name: "Matara 2" }));
  expect(router.state.location.search).toBe("?districts=Matara");
  expect(screen.getByRole("button", { name: "Matara" })).toHaveAttribute("aria-expanded", "true");
  expect(await screen.findByRole("button", { name: "5 Closed" })).toBeInTheDocument();
  // A new search keeps the district.
  await userEvent.type(screen.getByRole("combobox", { name: "Search in tenders" }), "pump{Enter}");
  expect(router.state.location.search).toBe("?search=pump&districts=Matara");
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("checkbox", { name: "Matara 2" })).not.toBeInTheDocument();
});

it("remembers that closed tenders are hidden, and says how many of them match", async () => {
  const first = renderAt(<TendersPage />, { at: "/tenders" });
  await findCard();
  await userEvent.click(screen.getByRole("checkbox", { name: "Hide closed tenders" }));
  await waitFor(() => expect(queries.at(-1)).toBe("?page=1&limit=10&hideClosed=true"));
  first.unmount();

  const { router } = renderAt(<TendersPage />, { at: "/tenders?search=nothing" });
  await waitFor(() => expect(queries.at(-1)).toBe("?page=1&limit=10&search=nothing&hideClosed=true"));
  expect(await screen.findByText(/5 closed tenders match and are hidden/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Show closed tenders too" }));
  expect(router.state.location.search).toBe("?search=nothing");
  await waitFor(() => expect(queries.at(-1)).toBe("?page=1&limit=10&search=nothing"));
  expect(screen.getByRole("checkbox", { name: "Hide closed tenders" })).not.toBeChecked();
});

it("shows closed tenders again when the card of all tenders is chosen", async () => {
  const { router } = renderAt(<TendersPage />, { at: "/tenders?hideClosed=true" });
  await findCard();
  await userEvent.click(screen.getByRole("checkbox", { name: "Hide closed tenders" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "Hide closed tenders" }));
  await userEvent.click(await screen.findByRole("button", { name: "23 All" }));
  expect(router.state.location.search).toBe("");
  expect(screen.getByRole("checkbox", { name: "Hide closed tenders" })).not.toBeChecked();
  expect(screen.getByRole("button", { name: "23 All" })).toHaveAttribute("aria-pressed", "true");
});

it("counts below the sectors what is in none of them", async () => {
  renderAt(<TendersPage />, { at: "/tenders?hideClosed=true" });
  const row = (await screen.findByText("13")).closest("li");
  expect(row).toHaveTextContent("Other 13");
});

it("says how many tenders the company cannot bid for, beside the cards that count them", async () => {
  total = 18;
  renderAt(<TendersPage />, { at: "/tenders?mayBid=true" });
  const note = await screen.findByText(/^The numbers on the tiles and filters count all tenders/);
  await waitFor(() => expect(note).toHaveTextContent(/The list leaves 5 out\.$/));
});

it("tells a call for expressions of interest from a purchase", async () => {
  more = { kind: "expression-of-interest" };
  renderAt(<TendersPage />, { at: "/tenders" });
  const badge = within(await findCard()).getByText("Expression of interest");
  expect(badge.closest("[data-tone]")).not.toBeNull();
});

it("says beside each part of a place whether it is certain", async () => {
  const location = { city: "Bulathsinhala", district: "Kalutara" };
  more = { location, fieldStates: { "location.city": "doubtful" } };
  renderAt(<TendersPage />, { at: "/tenders" });
  expect(await findCard()).toHaveTextContent("Bulathsinhala (not certain), Kalutara");
});

it("lets a stat card decide about closed tenders", async () => {
  renderAt(<TendersPage />, { at: "/tenders?show=closed&hideClosed=true" });
  await findCard();
  expect(queries.at(-1)).toBe("?page=1&limit=10&isClosed=true");
  expect(screen.getByRole("checkbox", { name: "Hide closed tenders" })).toBeDisabled();
});

it("shows the smallest bid security of the lots, and that a tender closes on a weekend", async () => {
  const lot = (amount: number) => ({ title: "Roads", bidBond: { required: true, amount, currency: "LKR" } });
  more = {
    dates: { closing: "2026-11-28T14:30:00+05:30" },
    financials: { bidBond: { required: false } },
    lots: [lot(40_000), lot(10_000)],
  };
  renderAt(<TendersPage />);
  const card = within(await findCard());
  expect(card.getByText("Bid security from LKR 10,000 a lot")).toBeVisible();
  expect(card.getByText("Sat 28 Nov 2026 is a weekend day")).toBeVisible();
});

it("leads from the name of a category to its sector in any language", async () => {
  const { router } = renderAt(<TendersPage />, { at: "/tenders?search=stationery" });
  const sector = stats.sectorStats.find(({ _id }) => _id === "supply");
  const link = await screen.findByRole("button", { name: `Supply (${sector?.count})` });
  await userEvent.click(link);
  expect(router.state.location.search).toBe("?category=supply");
});

it("says of a tender for which a bid is submitted only that, and presses for no bid", async () => {
  session.open(tokenUntil(4_000_000_000), "r", true);
  const requirement = { kind: "criterion", verdict: "not-certain", path: "eligibility.criteria.0" };
  beside = { bidAnswers: [{ answer: "not-certain", first: requirement }] };
  bids = [{ stage: "preparing", tender: { _id: tender._id } }];
  const { unmount } = renderAt(<TendersPage />, { at: "/tenders" });
  const badge = async (text: RegExp) =>
    (await within(await findCard()).findByText(text)).closest("[data-tone]");
  expect(await badge(/^Nothing missing; a condition/)).toBeInTheDocument();
  expect(within(await findCard()).getByText("On your board: Preparing")).toBeInTheDocument();
  expect(await badge(/^Closing in/)).toHaveAttribute("data-tone", "soon");
  unmount();
  bids = [{ stage: "submitted", tender: { _id: tender._id } }];
  renderAt(<TendersPage />, { at: "/tenders" });
  expect(await badge(/^Bid submitted$/)).toBeInTheDocument();
  expect(within(await findCard()).queryByText(/^Nothing missing; a condition/)).toBeNull();
  expect(await badge(/^Closing in/)).toHaveAttribute("data-tone", "calm");
});

it("says without a badge that a notice does not say who may bid", async () => {
  session.open(tokenUntil(4_000_000_000), "r", true);
  beside = { bidAnswers: [{ answer: "not-stated", first: null }] };
  const { unmount } = renderAt(<TendersPage />, { at: "/tenders" });
  const note = await within(await findCard()).findByText("Does not say who may bid");
  expect(note.closest("[data-tone]")).toBeNull();
  unmount();
  beside = {};
  renderAt(<TendersPage />, { at: "/tenders" });
  expect(within(await findCard()).queryByText("Does not say who may bid")).toBeNull();
});

it("shows the beginning of the description below a title of one word only", async () => {
  const description = "Tenders are called for the maintenance of the theatre lights.";
  more = { description };
  const { unmount } = renderAt(<TendersPage />, { at: "/tenders" });
  await findCard();
  expect(screen.queryByText(description)).toBeNull();
  unmount();
  more = { title: "Maintenance", description };
  renderAt(<TendersPage />, { at: "/tenders" });
  const card = within(await screen.findByRole("article", { name: "Maintenance" }));
  expect(card.getByText(description)).toBeInTheDocument();
});
