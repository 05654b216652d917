import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as DashboardPage } from "./DashboardPage.tsx";

const user = { _id: "1", firstName: "Kumari", lastName: "Silva", email: "k@example.lk", role: "supplier" };

const draft = {
  _id: "d",
  title: "Supply of chairs",
  status: "draft",
  referenceNo: "FW/1",
  organization: { name: "Silva Supplies" },
  dates: { published: "2026-11-21T09:00:00+05:30" },
  isExpired: false,
};

/** The query strings of the list requests. */
let queries: string[];
/** How many tenders the supplier has. */
let tenderCount: number;

beforeEach(() => {
  queries = [];
  tenderCount = 1;
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = new URL((input as Request).url);
    const reply = (data: unknown) =>
      new Response(JSON.stringify({ success: true, data }), {
        headers: { "content-type": "application/json" },
      });
    if (url.pathname === "/api/auth/me") return reply({ user });
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
    const items = url.searchParams.get("search") === "nothing" || tenderCount === 0 ? [] : [draft];
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

it("shows no search to a supplier without tenders", async () => {
  tenderCount = 0;
  open();
  expect(await screen.findByText("No tenders yet")).toBeInTheDocument();
  expect(screen.queryByRole("search")).not.toBeInTheDocument();
});
