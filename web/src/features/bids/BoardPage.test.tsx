import { createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as BoardPage } from "./BoardPage.tsx";

const user = { _id: "1", firstName: "Kumari", lastName: "Silva", email: "k@example.lk", role: "supplier" };

const bid = (id: string, stage: string) => ({
  _id: id,
  stage,
  version: 1,
  tender: {
    _id: `t${id}`,
    title: `Tender ${id}`,
    organization: "Department of Buildings",
    closing: "2026-11-24T14:00:00+05:30",
    isClosingDoubtful: false,
    publishedBy: "newspaper",
    status: "published",
    isLocked: false,
  },
  owner: null,
  value: null as number | null,
  tasks: 2,
  doneTasks: 1,
  notes: 0,
  createdAt: "2026-11-20T12:00:00+05:30",
  updatedAt: "2026-11-20T12:00:00+05:30",
});

/** The bids that the server has. */
let bids: ReturnType<typeof bid>[];
/** The bodies of the moves. */
let moves: { id: string; body: unknown }[];
/** Whether the server refuses moves. */
let isRefusing: boolean;
/** How often the board was asked for. */
let boardRequests: number;
/** Boards are answered when this has ended, with the bids of the time when they were asked for. */
let boardAnswers: Promise<void>;
/** A tender is added when this has ended. */
let additions: Promise<void>;

beforeEach(() => {
  bids = [bid("a", "considering"), bid("b", "considering"), bid("c", "preparing")];
  moves = [];
  isRefusing = false;
  boardRequests = 0;
  boardAnswers = Promise.resolve();
  additions = Promise.resolve();
  window.localStorage.removeItem("board-order");
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    const { pathname } = new URL(request.url);
    const reply = (data: unknown, status = 200) =>
      new Response(JSON.stringify(status < 400 ? { success: true, data } : data), {
        status,
        headers: { "content-type": "application/json" },
      });
    if (pathname === "/api/auth/me") return reply({ user });
    if (pathname === "/api/calendar/holidays") {
      const poya = { day: "2026-11-24", name: "Il Full Moon Poya Day", isPoya: true };
      return reply({ holidays: [poya] });
    }
    if (request.method === "POST") {
      await additions;
      moves.push({ id: pathname, body: await request.json() });
      if (isRefusing) {
        return reply({ success: false, message: "Your board is full", code: "quota", plan: "basic" }, 403);
      }
      bids.push(bid("d", "considering"));
      return reply({ bid: { _id: "d", stage: "considering" } });
    }
    if (request.method === "PUT") {
      const id = pathname.split("/")[3] ?? "";
      moves.push({ id, body: await request.json() });
      if (isRefusing) return reply({ success: false, message: "This bid was changed meanwhile" }, 409);
      const known = bids.find(({ _id }) => _id === id);
      if (known) known.version += 1;
      return reply({ bid: known, notes: [], tasks: [], history: [], people: [], deadlines: [] });
    }
    const counts = ["considering", "preparing", "submitted", "won", "lost", "dropped"].map((stage) => ({
      stage,
      count: bids.filter((one) => one.stage === stage).length,
    }));
    boardRequests += 1;
    const boarded = structuredClone(bids);
    await boardAnswers;
    return reply({
      bids: boarded,
      counts,
      quota: 3,
      isShared: false,
      people: [{ _id: "1", name: "Kumari Silva" }],
    });
  });
});

const open = (at = "/bids") => renderAt(<BoardPage />, { at });
const column = (name: string) => screen.getByRole("region", { name });
const titles = (name: string) =>
  within(column(name))
    .queryAllByRole("article")
    .map((card) => card.getAttribute("aria-label"));

it("shows the bids by stage, and how many are open", async () => {
  open();
  expect(await screen.findByText("3 of 3 open bids used")).toBeInTheDocument();
  expect(titles("Considering")).toEqual(["Tender a", "Tender b"]);
  const card = within(column("Preparing")).getByRole("article");
  expect(card).toHaveTextContent("Department of Buildings");
  expect(card).toHaveTextContent("1 of 2 own tasks");
  expect(card).toHaveTextContent("Closing in 3 Days");
  expect(await within(card).findByText("Tue 24 Nov 2026 is a Poya day")).toBeInTheDocument();
  expect(within(card).getByRole("link", { name: "Tender c" })).toHaveAttribute("href", "/bids/c");
});

it("is calm about a closing before which nothing is left to do, and names the stages' menu", async () => {
  bids.push(bid("s", "submitted"));
  open();
  const badgeIn = async (name: string) => {
    await screen.findByRole("region", { name });
    return within(column(name)).getByText("Closing in 3 Days").closest("[data-tone]");
  };
  expect(await badgeIn("Submitted")).toHaveAttribute("data-tone", "calm");
  expect(await badgeIn("Preparing")).toHaveAttribute("data-tone", "urgent");
  await userEvent.click(screen.getByRole("button", { name: "Move to…: Tender c" }));
  expect(await screen.findByRole("group", { name: "Move to…" })).toBeInTheDocument();
});

it("moves a bid with the arrow keys, says so, and keeps the focus on it", async () => {
  open();
  const name = "Move with the arrow keys: Tender b";
  (await screen.findByRole("button", { name })).focus();
  await userEvent.keyboard("{ArrowUp}");
  await waitFor(() => expect(titles("Considering")).toEqual(["Tender b", "Tender a"]));
  expect(screen.getByText("Tender b: now in Considering, 1 of 2")).toBeInTheDocument();
  await userEvent.keyboard("{ArrowRight}");
  await waitFor(() => expect(titles("Preparing")).toEqual(["Tender b", "Tender c"]));
  expect(screen.getByText("Tender b: now in Preparing, 1 of 2")).toBeInTheDocument();
  expect(screen.getByRole("button", { name })).toHaveFocus();
  // The second move waits for the first, and names the version that the first has made.
  await waitFor(() => expect(moves).toHaveLength(2));
  expect(moves.map(({ body }) => body)).toEqual([
    { stage: "considering", before: "a", version: 1 },
    { stage: "preparing", before: "c", version: 2 },
  ]);
});

it("moves a bid by dragging it over another card", async () => {
  open();
  const card = await screen.findByRole("article", { name: "Tender c" });
  const dataTransfer = { setData: vi.fn() };
  fireEvent.dragStart(card, { dataTransfer });
  const target = column("Considering");
  // Without a layout, all cards are at the top, so the pointer is above the middle of the first one.
  const over = createEvent.dragOver(target, { dataTransfer });
  Object.defineProperty(over, "clientY", { value: -1 });
  fireEvent(target, over);
  fireEvent.drop(target, { dataTransfer });
  fireEvent.dragEnd(card, { dataTransfer });
  await waitFor(() => expect(titles("Considering")).toEqual(["Tender c", "Tender a", "Tender b"]));
  await waitFor(() => expect(moves).toHaveLength(1));
  expect(moves[0]).toEqual({ id: "c", body: { stage: "considering", before: "a", version: 1 } });
});

it("moves a bid by its menu", async () => {
  open();
  const button = await screen.findByRole("button", { name: "Move to…: Tender a" });
  // A narrow window shows words instead of dots.
  expect(button).toHaveTextContent("Move to…");
  await userEvent.click(button);
  await userEvent.click(await screen.findByRole("menuitem", { name: "Lost" }));
  await waitFor(() => expect(titles("Lost")).toEqual(["Tender a"]));
  await waitFor(() => expect(moves).toHaveLength(1));
  expect(moves[0]?.body).toEqual({ stage: "lost", before: null, version: 1 });
});

it("puts a bid back if the server refuses the move", async () => {
  isRefusing = true;
  open();
  (await screen.findByRole("button", { name: "Move with the arrow keys: Tender c" })).focus();
  await userEvent.keyboard("{ArrowRight}");
  await waitFor(() => expect(titles("Preparing")).toEqual(["Tender c"]));
  expect(titles("Submitted")).toEqual([]);
});

it("tells how to begin if the board is empty", async () => {
  bids = [];
  open();
  expect(await screen.findByRole("heading", { name: "No bids yet" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Find tenders" })).toHaveAttribute("href", "/tenders");
});

it("adds the tender of a mailed link once", async () => {
  const { router } = open("/bids?add=t7");
  await waitFor(() => expect(router.state.location.search).toBe(""));
  expect(moves).toEqual([{ id: "/api/bids", body: { tenderId: "t7" } }]);
});

it("shows the tender of a mailed link although the board was asked for before it was added", async () => {
  let answer = () => {};
  let addition = () => {};
  boardAnswers = new Promise((resolve) => {
    answer = resolve;
  });
  additions = new Promise((resolve) => {
    addition = resolve;
  });
  open("/bids?add=t7");
  await waitFor(() => expect(boardRequests).toBe(1));
  addition();
  await waitFor(() => expect(boardRequests).toBe(2));
  answer();
  expect(await screen.findByRole("article", { name: "Tender d" })).toBeInTheDocument();
});

it("names the plan with more bids if the tender of a mailed link finds no room", async () => {
  isRefusing = true;
  open("/bids?add=t7");
  expect(await screen.findByText(/^Your board is full/)).toHaveTextContent("Basic");
  expect(moves).toHaveLength(1);
});

it("teaches on an empty board how a bid comes there", async () => {
  bids = [];
  open();
  expect(await screen.findByRole("heading", { name: "No bids yet" })).toBeInTheDocument();
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toContain(
    "Press “I intend to bid”. The tender then stands here under Considering.",
  );
});

it("adds up the values of a stage", async () => {
  bids = bids.map((one) => ({ ...one, value: 1_250_000 }));
  open();
  await screen.findByText("3 of 3 open bids used");
  expect(column("Considering")).toHaveTextContent("LKR 2.5 million");
  expect(column("Won")).not.toHaveTextContent("million");
});

/** Sets when the tender of a bid closes. */
const closes = (one: ReturnType<typeof bid>, closing: string) => ({
  ...one,
  tender: { ...one.tender, closing },
});

it("orders the cards by closing, or as the users have placed them", async () => {
  bids = [closes(bid("late", "considering"), "2026-12-10T14:00:00+05:30"), bid("soon", "considering")];
  open();
  await screen.findByRole("article", { name: "Tender soon" });
  expect(titles("Considering")).toEqual(["Tender soon", "Tender late"]);
  await userEvent.click(screen.getByRole("button", { name: "Our order" }));
  expect(titles("Considering")).toEqual(["Tender late", "Tender soon"]);
  expect(window.localStorage.getItem("board-order")).toBe("own");
  await userEvent.click(screen.getByRole("button", { name: "By closing" }));
  expect(titles("Considering")).toEqual(["Tender soon", "Tender late"]);
});

it("shows the users' order once somebody moves a card within its stage", async () => {
  bids = [closes(bid("late", "considering"), "2026-12-10T14:00:00+05:30"), bid("soon", "considering")];
  bids.push(closes(bid("last", "considering"), "2026-12-20T14:00:00+05:30"));
  open();
  (await screen.findByRole("button", { name: "Move with the arrow keys: Tender last" })).focus();
  expect(titles("Considering")).toEqual(["Tender soon", "Tender late", "Tender last"]);
  await userEvent.keyboard("{ArrowUp}");
  await waitFor(() => expect(titles("Considering")).toEqual(["Tender last", "Tender late", "Tender soon"]));
  expect(screen.getByRole("button", { name: "Our order" })).toHaveAttribute("aria-pressed", "true");
  await waitFor(() => expect(moves).toHaveLength(1));
});

it("opens on a phone at the stage of the bid in work that closes next", async () => {
  bids = [
    bid("sent", "submitted"),
    closes(bid("over", "considering"), "2026-11-20T14:00:00+05:30"),
    closes(bid("late", "considering"), "2026-12-10T14:00:00+05:30"),
    bid("soon", "preparing"),
  ];
  open();
  const stages = within(await screen.findByRole("group", { name: "Stages" }));
  expect(stages.getByRole("button", { name: /^Preparing/ })).toHaveAttribute("aria-pressed", "true");
});

it("keeps every stage in sight on a narrow window", async () => {
  open();
  const stages = await screen.findByRole("group", { name: "Stages" });
  expect(within(stages).getByRole("button", { name: /^Dropped/ }).parentElement).toHaveClass("flex-wrap");
});
