import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { draft, open, section, server, startServer } from "./dashboardServer.tsx";

beforeEach(startServer);

it("lists a draft without a publication date", async () => {
  open();
  expect(await screen.findByText("FW/1 · Silva Supplies")).toBeInTheDocument();
  expect(server.queries).toEqual(["?page=1&limit=50"]);
});

it("pages through more than fifty tenders", async () => {
  server.tenderCount = 53;
  const { router } = open();
  const pages = within(await screen.findByRole("navigation", { name: "Pages" }));
  await userEvent.click(pages.getByRole("link", { name: "Page 2" }));
  expect(router.state.location.search).toBe("?page=2");
  await waitFor(() => expect(server.queries.at(-1)).toBe("?page=2&limit=50"));
  expect(await screen.findByText("Showing 51 - 51 of 53 tenders")).toBeInTheDocument();
});

it("combines the filters by counter, sector and text, and returns to the first page", async () => {
  server.tenderCount = 53;
  const { router } = open("/supplier/dashboard?page=2");
  const drafts = await screen.findByRole("button", { name: "53 Drafts" });
  await userEvent.click(drafts);
  expect(drafts).toHaveAttribute("aria-pressed", "true");
  expect(router.state.location.search).toBe("?show=draft");
  await waitFor(() => expect(server.queries.at(-1)).toBe("?page=1&limit=50&isDraft=true"));
  await userEvent.type(screen.getByRole("searchbox", { name: "Search in tenders" }), " chairs {Enter}");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Category" }), "Supply");
  expect(router.state.location.search).toBe("?show=draft&category=supply&search=chairs");
  await waitFor(() =>
    expect(server.queries.at(-1)).toBe("?page=1&limit=50&category=supply&search=chairs&isDraft=true"),
  );
  await userEvent.click(screen.getByRole("button", { name: "0 Live" }));
  await waitFor(() => expect(server.queries.at(-1)).toMatch(/isLive=true$/));
});

it("offers to show all tenders when a search finds none", async () => {
  open("/supplier/dashboard?search=nothing");
  expect(await screen.findByText("None of your tenders matches this filter.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("link", { name: "Show all tenders" }));
  expect(await screen.findByText("Supply of chairs")).toBeInTheDocument();
});

it("has one line for a supplier without tenders, below all lists", async () => {
  server.tenderCount = 0;
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

it("says in a line what a plan would add", async () => {
  open();
  const matches = await section("New matches of your alerts");
  expect(matches.getByText(/With Professional, alerts find new tenders/)).toBeInTheDocument();
  expect(matches.getByRole("link", { name: "See the plans" })).toHaveAttribute("href", "/pricing");
  const closing = await section("Next closings");
  expect(await closing.findByRole("link", { name: "Repair of a road" })).toBeInTheDocument();
});

it("shows how many readers a published tender has, and offers no form for a withdrawn one", async () => {
  const statistics = { views: 12, downloads: 0, applications: 1 };
  server.listed = [
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
  server.listed = [{ ...draft, _id: "p", title: "Paint a ward", status: "published", statistics, dates }];
  open();
  const week = await section("To do in the next 7 days");
  expect(await week.findByText("Sat 28 Nov 2026 is a weekend day")).toBeInTheDocument();
  const own = await section("My Tenders");
  expect(own.getByText("Sat 28 Nov 2026 is a weekend day")).toBeInTheDocument();
});

it("tells a publisher what closes this week and what waits, and nothing that only bidders need", async () => {
  const statistics = { views: 0, downloads: 0, applications: 0 };
  server.listed = [
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
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Next closings" })).toBeNull());
  expect(screen.queryByRole("link", { name: "See the plans" })).toBeNull();
});
