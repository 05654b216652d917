import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { ALL_DISTRICTS } from "@/shared/tender/vocabulary.ts";
import { renderAt } from "@/testing/render.tsx";
import { Component as MarketPage } from "./MarketPage.tsx";

let market: object;
/** The numbers of the listing, by the query of the request. */
let facets: (query: URLSearchParams) => object;

beforeEach(() => {
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
  facets = () => ({ sectors: [], districts: [] });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = new URL((input as Request).url);
    const data = url.pathname === "/api/tenders/facets" ? facets(url.searchParams) : market;
    return new Response(JSON.stringify({ success: true, data }), {
      headers: { "content-type": "application/json" },
    });
  });
});

it("leads from every number that the listing can show to the listing", async () => {
  renderAt(<MarketPage />, { at: "/market" });
  const link = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  // A search by role in this page takes most of a second.
  await screen.findByText("By district", {}, { timeout: 4_000 });
  expect(link("80 open tenders")).toBe("/tenders?hideClosed=true");
  expect(link("86 tenders printed since Mon 16 Nov 2026")).toBe("/tenders");
  expect(link("25 of 26")).toBe("/tenders?category=construction&hideClosed=true");
  expect(link("Construction")).toBe("/market/sectors/construction");
  expect(screen.getByText("0 of 4").closest("a")).toBeNull();
  expect(screen.getByText(/close in the week from Mon 30 Nov 2026/)).toHaveTextContent(/^close/);
});

it("says how many tenders the listing adds, so that its number is the same", async () => {
  const listed = (_id: string, count: number) => ({ _id, name: _id, count });
  facets = () => ({ sectors: [listed("construction", 28), listed("it", 2)], districts: [] });
  renderAt(<MarketPage />, { at: "/market" });
  // 25 + 3 and 0 + 2 open tenders.
  const link = async (text: string) => (await screen.findByText(text)).closest("a");
  expect(await link("+3 not certain")).toHaveTextContent("25 of 26 +3 not certain");
  expect(await link("+2 not certain")).toHaveAttribute("href", "/tenders?category=it&hideClosed=true");
});

it("says so for the figures of a district too", async () => {
  const count = (query: URLSearchParams) => (query.get("hideClosed") === "true" ? 84 : 91);
  facets = (query) => ({ sectors: [], districts: [{ _id: "Galle", name: "Galle", count: count(query) }] });
  renderAt(<MarketPage />, { at: "/market?district=Galle" });
  expect(await screen.findByText("open tenders (+4 not certain)")).toBeVisible();
  expect(await screen.findByText(/^tenders printed since .* \(\+5 not certain\)$/)).toBeVisible();
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
