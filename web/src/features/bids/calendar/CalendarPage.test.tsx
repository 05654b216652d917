import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as CalendarPage } from "./CalendarPage.tsx";

const user = { _id: "1", firstName: "Kumari", lastName: "Silva", email: "k@example.lk", role: "supplier" };

const entry = {
  tenderId: "t",
  title: "Roof repairs",
  organization: "Department of Buildings",
  kind: "closing",
  at: "2026-12-24T14:00:00+05:30",
  hasHour: true,
  isDoubtful: false,
  isCancelled: false,
  bidId: "b",
  stage: "considering",
};

/** The deadlines that the server returns. */
let entries: object[];
let tasks: object[];
/** The days that were asked for. */
let queries: string[];
let address: { feedUrl: string | null; createdAt: string | null; isIncluded: boolean };

beforeEach(() => {
  queries = [];
  tasks = [];
  entries = [
    entry,
    { ...entry, tenderId: "w", title: "Won", bidId: "w", stage: "won" },
    { ...entry, tenderId: "u", title: "Chairs", bidId: null, stage: null },
  ];
  address = { feedUrl: null, createdAt: null, isIncluded: true };
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    const url = new URL(request.url);
    const reply = (data: unknown) =>
      new Response(JSON.stringify({ success: true, data }), {
        headers: { "content-type": "application/json" },
      });
    if (url.pathname === "/api/auth/me") return reply({ user });
    if (url.pathname === "/api/calendar/address") {
      if (request.method === "PUT") address.feedUrl = "https://portal.test/api/feeds/calendar/key.ics";
      if (request.method === "DELETE") address.feedUrl = null;
      return reply({ ...address });
    }
    queries.push(url.search);
    return reply({
      entries,
      tasks,
      holidays: [{ day: "2026-12-23", name: "Unduvap Full Moon Poya Day", isPoya: true }],
    });
  });
});

const open = (at: string) => renderAt(<CalendarPage />, { at });

it("shows the deadlines of a month on their days, with holidays", async () => {
  open("/bids/calendar?day=2026-12-01");
  const table = await screen.findByRole("table", { name: "Closings calendar" });
  const link = await within(table).findByRole("link", { name: /Roof repairs/ });
  expect(link).toHaveTextContent("Bids close, 2.00 p.m.");
  expect(within(table).queryByRole("link", { name: /Won/ })).toBeNull();
  expect(link).toHaveAttribute("href", "/bids/b");
  expect(link.closest("td")).toHaveTextContent(/^24/);
  // A tender that is only saved has no bid.
  expect(within(table).getByRole("link", { name: /Chairs/ })).toHaveAttribute("href", "/tenders/u");
  expect(within(table).getByText("Unduvap Full Moon Poya Day").closest("td")).toHaveTextContent(/^23/);
  expect(queries).toEqual(["?from=2026-11-30&to=2027-01-30"]);
});

it("steps from month to month, and shows a week", async () => {
  const { router } = open("/bids/calendar?day=2026-12-24");
  await userEvent.click(await screen.findByRole("button", { name: "Next month" }));
  expect(screen.getByRole("heading", { level: 2, name: "Jan 2027" })).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Today" }));
  await userEvent.click(screen.getByRole("button", { name: "Week" }));
  expect(router.state.location.search).toBe("?view=week&day=2026-11-21");
  await waitFor(() => expect(queries.at(-1)).toBe("?from=2026-11-16&to=2027-01-16"));
});

it("shows the present month if the address names no day", async () => {
  open("/bids/calendar?view=year&day=2026-02-30");
  await waitFor(() => expect(queries).toEqual(["?from=2026-11-16&to=2027-01-16"]));
});

it("lists the days with deadlines from today on, and names the month of its first day", async () => {
  open("/bids/calendar");
  const december = await screen.findByRole("region", { name: "Dec 2026" });
  const days = within(december).getAllByRole("heading", { level: 3 });
  // A holiday without a deadline is no day of the list.
  expect(days.map(({ textContent }) => textContent)).toEqual(["Thu 24 Dec 2026"]);
  expect(screen.queryByRole("region", { name: "Nov 2026" })).toBeNull();
  expect(screen.getByText("Deadlines from Sat 21 Nov 2026 to Sat 16 Jan 2027.")).toBeInTheDocument();
  const table = screen.getByRole("table", { name: "Closings calendar" });
  expect(within(table).getByText("1 Dec")).toBeInTheDocument();
  expect(within(table).getByText("16 Nov")).toBeInTheDocument();
  expect(within(table).queryByText("26 Oct")).toBeNull();
});

it("begins with the present week, and shows the earlier weeks of the month on request", async () => {
  const { router } = renderAt(<CalendarPage />, { at: "/bids/calendar", now: "2026-11-30T09:00:00+05:30" });
  const table = await screen.findByRole("table", { name: "Closings calendar" });
  expect(within(table).getAllByRole("row")[1]).toHaveTextContent(/^30 Nov/);
  expect(screen.getByRole("heading", { level: 2, name: "Nov 2026 – Dec 2026" })).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Earlier weeks of Nov" }));
  expect(router.state.location.search).toBe("?view=month&day=2026-11-01");
  expect(within(table).getAllByRole("row")[1]).toHaveTextContent(/^26 Oct/);
  expect(screen.queryByRole("button", { name: /^Earlier weeks/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Today" }));
  expect(within(table).getAllByRole("row")[1]).toHaveTextContent(/^30 Nov/);
});

it("names the stage of a bid, and presses only for what is in work and not over", async () => {
  const bid = (stage: string, at: string) => ({
    ...entry,
    tenderId: stage + at,
    title: stage,
    stage,
    at,
  });
  entries = [
    bid("preparing", "2026-11-28T14:00:00+05:30"),
    bid("submitted", "2026-11-28T14:00:00+05:30"),
    bid("considering", "2026-11-20T14:00:00+05:30"),
  ];
  open("/bids/calendar");
  const table = await screen.findByRole("table", { name: "Closings calendar" });
  const preparing = await within(table).findByRole("link", { name: /preparing/ });
  expect(preparing).toHaveTextContent(/Preparing$/);
  expect(preparing).toHaveClass("bg-soon-wash");
  const submitted = within(table).getByRole("link", { name: /submitted/ });
  expect(submitted).toHaveTextContent(/Submitted$/);
  expect(submitted).not.toHaveClass("bg-soon-wash");
  const over = within(table).getByRole("link", { name: /considering/ });
  expect(over).not.toHaveClass("bg-soon-wash");
});

it("names a tender once on a day with two of its deadlines", async () => {
  entries = [entry, { ...entry, kind: "opening" }];
  open("/bids/calendar?day=2026-12-01");
  const table = await screen.findByRole("table", { name: "Closings calendar" });
  const link = await within(table).findByRole("link", { name: /Roof repairs/ });
  expect(link).toHaveTextContent(
    /^Bids close, 2.00 p.m.Bids are opened, 2.00 p.m.Roof repairsDepartment of BuildingsConsidering$/,
  );
});

it("names the holidays of a month in the list, too", async () => {
  open("/bids/calendar");
  const december = await screen.findByRole("region", { name: "Dec 2026" });
  expect(december).toHaveTextContent("Wed 23 Dec 2026: Unduvap Full Moon Poya Day");
  // In the order of the days.
  const holiday = within(december).getByText(/^Wed 23 Dec 2026/);
  const nextDay = within(december).getByRole("heading", { level: 3, name: /^Thu 24 Dec 2026/ });
  expect(holiday.compareDocumentPosition(nextDay)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(holiday.closest("ol")).toBe(nextDay.closest("ol"));
});

it("shows the weeks after the present one at the end of a month", async () => {
  entries = [{ ...entry, at: "2026-12-17T14:00:00+05:30" }];
  renderAt(<CalendarPage />, { at: "/bids/calendar", now: "2026-11-30T09:00:00+05:30" });
  const table = await screen.findByRole("table", { name: "Closings calendar" });
  expect(within(table).getByText("20")).toHaveAttribute("datetime", "2026-12-20");
  expect(await within(table).findByRole("link", { name: /Roof repairs/ })).toBeInTheDocument();
});

it("gives the calendar an address, and revokes it", async () => {
  open("/bids/calendar");
  await userEvent.click(await screen.findByRole("button", { name: "Get the address" }));
  expect(await screen.findByText("https://portal.test/api/feeds/calendar/key.ics")).toBeInTheDocument();
  expect(screen.getByText(/^Whoever has the address/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Revoke" }));
  expect(await screen.findByRole("button", { name: "Get the address" })).toBeInTheDocument();
});

it("names the plans with the address", async () => {
  address.isIncluded = false;
  open("/bids/calendar");
  expect(await screen.findByText(/part of the Professional and Enterprise plans/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Get the address" })).toBeNull();
});

it("shows tasks on the day on which they are due, with the tender of the bid", async () => {
  entries = [];
  tasks = [
    {
      _id: "k1",
      title: "Price the roof",
      due: "2026-12-02",
      assignee: "Nimal Perera",
      bidId: "b7",
      stage: "preparing",
      tenderId: "t7",
      tenderTitle: "Roof repairs",
      organization: "Ports Authority",
    },
  ];
  open("/bids/calendar?day=2026-12-01");
  const table = await screen.findByRole("table", { name: "Closings calendar" });
  const link = await within(table).findByRole("link", {
    name: /^Task: ?Price the roof ?Roof repairs ?Nimal Perera$/,
  });
  expect(link).toHaveAttribute("href", "/bids/b7");
});

it.each([
  ["closing", "2026-11-24", "considering", "urgent"],
  ["closing", "2026-11-25", null, "soon"],
  ["sale-ends", "2026-11-28", "preparing", "soon"],
  ["sale-ends", "2026-11-29", "preparing", "calm"],
  ["opening", "2026-11-24", "preparing", "calm"],
  ["closing", "2026-11-24", "submitted", "calm"],
])("colours %s on %s of a bid in stage %s as %s", async (kind, day, stage, colour) => {
  entries = [{ ...entry, kind, at: `${day}T14:00:00+05:30`, stage }];
  open("/bids/calendar");
  const table = await screen.findByRole("table", { name: "Closings calendar" });
  const link = await within(table).findByRole("link", { name: /Roof repairs/ });
  expect(link).toHaveClass(`bg-${colour}-wash`);
});

it("leaves out when the sale of documents ends for a bid that is submitted", async () => {
  const at = "2026-11-24T14:00:00+05:30";
  entries = [
    { ...entry, kind: "sale-ends", at, stage: "submitted" },
    { ...entry, at, tenderId: "v", title: "Drains" },
  ];
  open("/bids/calendar");
  const table = await screen.findByRole("table", { name: "Closings calendar" });
  expect(await within(table).findByRole("link", { name: /Drains/ })).toBeInTheDocument();
  expect(within(table).queryByRole("link", { name: /Roof repairs/ })).toBeNull();
});

it.each([
  ["2026-11-20", "preparing", "urgent", "Price the roof (late)"],
  ["2026-11-24", "preparing", "urgent", "Price the roof"],
  ["2026-11-28", "submitted", "soon", "Price the roof"],
  ["2026-11-29", "preparing", "calm", "Price the roof"],
])("colours a task due on %s of a bid in stage %s as %s", async (due, stage, colour, name) => {
  entries = [];
  tasks = [
    {
      _id: "k1",
      title: "Price the roof",
      due,
      assignee: null,
      bidId: "b7",
      stage,
      tenderId: "t7",
      tenderTitle: "Roof repairs",
      organization: "Ports Authority",
    },
  ];
  open("/bids/calendar");
  const table = await screen.findByRole("table", { name: "Closings calendar" });
  const link = await within(table).findByRole("link", { name: /Price the roof/ });
  expect(link).toHaveClass(`bg-${colour}-wash`);
  expect(link).toHaveTextContent(`Task: ${name}Roof repairs`);
});

it("tells titles apart that begin alike, in full where there is room", async () => {
  const [one, other] = ["Poonakary", "Weerabugedara"].map(
    (place) => `Re-roofing and Colour Washing of Staff Quarters, ${place}`,
  );
  entries = [
    { ...entry, title: one },
    { ...entry, tenderId: "o", bidId: "o", title: other },
  ];
  open("/bids/calendar?day=2026-12-01");
  const table = within(await screen.findByRole("table", { name: "Closings calendar" }));
  expect(await table.findByText("… Staff Quarters, Poonakary")).toHaveAttribute("title", one);
  expect(table.getByText("… Staff Quarters, Weerabugedara")).toBeInTheDocument();
  const list = within(screen.getByRole("region", { name: "Dec 2026" }));
  expect(list.getByText(`${one}`)).toBeInTheDocument();
});

it.each([
  ["closing", "2026-12-19", "preparing", true],
  ["closing", "2026-12-20", null, true],
  ["closing", "2026-12-21", "preparing", false],
  ["closing", "2026-12-19", "submitted", false],
  ["bond-expiry", "2026-12-19", "preparing", false],
])("warns of %s on %s of a bid in stage %s that offices are closed: %s", async (kind, day, stage, warns) => {
  entries = [{ ...entry, kind, at: `${day}T14:00:00+05:30`, stage }];
  open("/bids/calendar?day=2026-12-01");
  const table = within(await screen.findByRole("table", { name: "Closings calendar" }));
  const cell = (await table.findByRole("link", { name: /Roof repairs/ })).closest("td");
  const warning = table.queryByText("Weekend: offices are usually closed");
  expect(warning?.closest("td") ?? null).toBe(warns ? cell : null);
});
