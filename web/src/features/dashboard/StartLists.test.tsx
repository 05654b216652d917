import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { bid, newMatch, open, professional, section, server, startServer } from "./dashboardServer.tsx";

beforeEach(startServer);

it("lists new matches, saved tenders and what else closes soon, each tender once", async () => {
  server.subscription = professional;
  open();
  const closing = await section("Next closings");
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
  expect(server.savedOrder).toBe("closing");
});

it("shows what closes next in the fields of the company", async () => {
  server.cida = [{ grade: "C5", field: "Building construction" }];
  open();
  const closing = await section("Next closings");
  expect(
    await closing.findByText("In the fields of your company profile: Construction, Upkeep"),
  ).toBeInTheDocument();
  await closing.findByRole("link", { name: "Repair of a road" });
  // The listing separates the values of a filter in this way.
  expect(server.nextQuery.get("sectors")).toBe("construction|upkeep");
  expect(server.nextQuery.get("isLive")).toBe("true");
});

it("answers for each tender of the lists whether the company may bid", async () => {
  server.subscription = professional;
  open();
  const closing = await section("Next closings");
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
  server.calendar.entries = [closing("In seven days", "2026-11-28"), closing("In eight days", "2026-11-29")];
  open();
  const week = await section("To do in the next 7 days");
  expect(await week.findByRole("link", { name: "In seven days" })).toBeInTheDocument();
  expect(week.queryByRole("link", { name: "In eight days" })).toBeNull();
});

it("begins with what must be done this week", async () => {
  server.subscription = professional;
  server.bids = [bid];
  const step = { tenderId: "t", bidId: "b", title: bid.tender.title, organization: "", isCancelled: false };
  server.calendar.entries = [
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
  server.calendar.holidays = [{ day: "2026-11-24", name: "Il Full Moon Poya Day", isPoya: true }];
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
  server.bids = [bid];
  const step = { tenderId: "t", bidId: "b", title: bid.tender.title, organization: "", isCancelled: false };
  server.calendar.entries = [
    { ...step, stage: "preparing", kind: "closing", at: "2026-11-25T14:00:00+05:30" },
  ];
  const task = {
    bidId: "b",
    stage: "preparing",
    tenderId: "t",
    tenderTitle: bid.tender.title,
    organization: "",
  };
  server.calendar.tasks = [
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
  server.bids = [bid, inWeek, { ...bid, _id: "x", stage: "submitted", tender: { ...bid.tender, _id: "o" } }];
  const step = {
    tenderId: "w",
    bidId: "w",
    title: "Walls of a school",
    organization: "",
    isCancelled: false,
  };
  server.calendar.entries = [
    { ...step, stage: "preparing", kind: "sale-ends", at: "2026-11-23T23:59:59+05:30" },
  ];
  open();
  const closing = await section("Next closings");
  await closing.findByRole("link", { name: "Roof of a school" });
  const titles = closing.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
  // Nothing is left to do for a bid that is submitted.
  expect(titles).toEqual(["Roof of a school"]);
  expect(closing.getByRole("link", { name: "On your board: Preparing" })).toHaveAttribute("href", "/bids/b");
  expect(closing.getByText(/^Left out: sales, tenders in the other lists here/)).toBeInTheDocument();
});

it("leads from the bids that close later to the board with all of them", async () => {
  server.bids = Array.from({ length: 12 }, (_, at) => {
    const tender = { ...bid.tender, _id: `t${at}`, title: `Roof ${at}` };
    return { ...bid, _id: `b${at}`, tender };
  });
  open();
  const closing = await section("Next closings");
  expect(await closing.findByRole("link", { name: "All 12 bids" })).toHaveAttribute("href", "/bids");
});

it("says of matches on the board only what it knows", async () => {
  server.subscription = professional;
  server.bids = [{ ...bid, tender: { ...bid.tender, _id: "m" } }];
  open();
  const matches = await section("New matches of your alerts");
  expect(await matches.findByText(/^The newest match is saved or on your board/)).toBeInTheDocument();
});

it("says which of the newest matches are left out", async () => {
  server.subscription = professional;
  server.found = [newMatch, { ...newMatch, _id: "s" }];
  open();
  const matches = await section("New matches of your alerts");
  expect(await matches.findByText("Saved ones and those on your board are left out.")).toBeInTheDocument();
  expect(matches.getAllByRole("listitem")).toHaveLength(1);
});

it("marks a match as irrelevant, and removes the mark", async () => {
  server.subscription = professional;
  open();
  const matches = await section("New matches of your alerts");
  await userEvent.click(await matches.findByRole("button", { name: "Not relevant" }));
  await userEvent.click(await matches.findByRole("button", { name: "Relevant after all" }));
  expect(await matches.findByRole("button", { name: "Not relevant" })).toBeInTheDocument();
  expect(server.marks).toEqual([
    "PUT /api/alerts/a/matches/m/irrelevance",
    "DELETE /api/alerts/a/matches/m/irrelevance",
  ]);
});
