import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as BidPage } from "./BidPage.tsx";

const user = { _id: "1", firstName: "Kumari", lastName: "Silva", email: "k@example.lk", role: "supplier" };
const kumari = { _id: "1", name: "Kumari Silva" };
const nimal = { _id: "2", name: "Nimal Perera" };

const details = {
  bid: {
    _id: "a",
    stage: "preparing",
    version: 4,
    tender: {
      _id: "t",
      title: "Roof repairs",
      organization: "Department of Buildings",
      closing: "2026-12-24T14:00:00+05:30",
      isClosingDoubtful: false,
      status: "published",
      isLocked: false,
    },
    owner: kumari,
    value: 1_250_000,
    tasks: 1,
    doneTasks: 0,
    notes: 1,
    createdAt: "2026-11-20T12:00:00+05:30",
    updatedAt: "2026-11-20T12:00:00+05:30",
  },
  deadlines: [
    {
      kind: "sale-ends",
      at: "2026-11-20T23:59:59+05:30",
      hasHour: false,
      path: "documentFee.saleUntil",
      isDoubtful: false,
    },
    {
      kind: "closing",
      at: "2026-12-24T14:00:00+05:30",
      hasHour: true,
      path: "dates.closing",
      isDoubtful: false,
      closedBefore: { day: "2026-12-23", reason: "poya", name: "Unduvap Full Moon Poya Day" },
      lastOpenDay: "2026-12-22",
    },
    { kind: "bond-expiry", at: null, hasHour: false, isDoubtful: false },
  ],
  tasks: [{ _id: "k", title: "Buy the documents", due: "2026-11-20", assignee: nimal, doneAt: null }],
  notes: [
    {
      _id: "n",
      author: nimal,
      text: "Ask for\ntiles",
      isDeletable: false,
      createdAt: "2026-11-20T12:00:00+05:30",
    },
  ],
  history: [
    {
      at: "2026-11-20T12:30:00+05:30",
      actor: null,
      kind: "moved",
      before: "considering",
      after: "preparing",
    },
    { at: "2026-11-20T12:00:00+05:30", actor: kumari, kind: "added" },
  ],
  people: [kumari, nimal],
};

/** The requests that change something. */
let changes: { method: string; path: string; body: unknown }[];

beforeEach(() => {
  changes = [];
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    const path = new URL(request.url).pathname;
    const reply = (data: unknown, status = 200) =>
      new Response(JSON.stringify(status < 400 ? { success: true, data } : data), {
        status,
        headers: { "content-type": "application/json" },
      });
    if (path === "/api/auth/me") return reply({ user });
    if (request.method !== "GET") {
      const text = await request.text();
      changes.push({ method: request.method, path, body: text === "" ? null : JSON.parse(text) });
    }
    if (path.startsWith("/api/bids/gone")) return reply({ success: false, message: "Bid not found" }, 404);
    return reply(details);
  });
});

const open = (id = "a") =>
  renderAt(
    <Routes>
      <Route path="/bids/:id" element={<BidPage />} />
    </Routes>,
    { at: `/bids/${id}` },
  );

it("shows the deadlines with warnings, and what the notice does not state", async () => {
  open();
  const ladder = await screen.findByRole("region", { name: "Deadlines" });
  expect(ladder).toHaveTextContent(
    "Offices are closed on the day before (Unduvap Full Moon Poya Day); the last open day is Tue 22 Dec 2026",
  );
  expect(ladder).toHaveTextContent("The counter closes at 2.00 p.m.");
  expect(ladder).toHaveTextContent("Bid security expiresnot stated in the notice");
  const next = within(ladder).getAllByRole("listitem", { current: "step" });
  expect(next).toHaveLength(1);
  expect(next[0]).toHaveTextContent("Bids close");
});

it("changes the stage, the owner and the value of the version on the screen", async () => {
  open();
  await userEvent.selectOptions(await screen.findByLabelText("Stage"), "Submitted");
  await userEvent.selectOptions(screen.getByLabelText("Taken care of by"), "Nimal Perera");
  const value = screen.getByLabelText("Value in rupees");
  await userEvent.clear(value);
  await userEvent.type(value, "many");
  expect(screen.getByText("Enter an amount such as 1,250,000")).toBeInTheDocument();
  await userEvent.clear(value);
  await userEvent.type(value, "2,500,000");
  await userEvent.click(screen.getByRole("button", { name: "Save the value" }));
  await waitFor(() => expect(changes).toHaveLength(3));
  expect(changes).toEqual([
    { method: "PUT", path: "/api/bids/a/place", body: { stage: "submitted", before: null, version: 4 } },
    { method: "PUT", path: "/api/bids/a", body: { ownerId: "2", value: 1_250_000, version: 4 } },
    { method: "PUT", path: "/api/bids/a", body: { ownerId: "1", value: 2_500_000, version: 4 } },
  ]);
});

it("ticks a task, and adds tasks and notes", async () => {
  open();
  await userEvent.click(await screen.findByRole("checkbox", { name: "Buy the documents" }));
  expect(screen.getByText("Nimal Perera · was due Fri 20 Nov 2026")).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText("New task"), "Visit the site");
  await userEvent.click(screen.getByRole("button", { name: "Add the task" }));
  await userEvent.type(screen.getByLabelText("New note"), "Tiles are dear");
  await userEvent.click(screen.getByRole("button", { name: "Add the note" }));
  await waitFor(() => expect(changes).toHaveLength(3));
  expect(changes.map(({ body }) => body)).toEqual([
    { title: "Buy the documents", due: "2026-11-20", assigneeId: "2", isDone: true },
    { title: "Visit the site", due: null, assigneeId: null },
    { text: "Tiles are dear" },
  ]);
  // Only its author deletes a note.
  expect(screen.queryByRole("button", { name: /^Delete the note/ })).toBeNull();
});

it("tells what happened as sentences", async () => {
  open();
  const history = await screen.findByRole("region", { name: "History" });
  expect(history).toHaveTextContent("Moved from Considering to Preparing");
  expect(history).toHaveTextContent("A deleted account · Fri 20 Nov 2026, 12.30 p.m.");
});

it("leads back to the board if the bid is gone", async () => {
  open("gone");
  expect(await screen.findByText("Your board has no such bid")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "To the board" })).toHaveAttribute("href", "/bids");
});
