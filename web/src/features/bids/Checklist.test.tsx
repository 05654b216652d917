import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { details, open, server, startServer, unfold } from "./bidPageServer.tsx";

beforeEach(startServer);

it("ticks a task, and adds tasks and notes", async () => {
  open();
  await userEvent.click(await screen.findByRole("checkbox", { name: "Buy the documents" }));
  expect(screen.getByText("Nimal Perera · was due Fri 20 Nov 2026")).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText("New task"), "Visit the site");
  await userEvent.click(screen.getByRole("button", { name: "Add the task" }));
  await unfold("Notes");
  await userEvent.type(screen.getByLabelText("New note"), "Tiles are dear");
  await userEvent.click(screen.getByRole("button", { name: "Add the note" }));
  await waitFor(() => expect(server.changes).toHaveLength(3));
  expect(server.changes.map(({ body }) => body)).toEqual([
    { title: "Buy the documents", due: "2026-11-20", assigneeId: "2", isDone: true },
    { title: "Visit the site", due: null, assigneeId: null },
    { text: "Tiles are dear" },
  ]);
  // Only its author deletes a note.
  expect(screen.queryByRole("button", { name: /^Delete the note/ })).toBeNull();
});

it("lists the checklist and the tasks together, and ticks the value on the screen", async () => {
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  expect(list.getByText("1 of 5 steps done, own tasks included")).toBeInTheDocument();
  expect(list.getAllByRole("checkbox").map((box) => box.closest("label")?.textContent)).toEqual([
    "Buy the documents",
    "Buy the bidding documents: LKR 5,000",
    "Ask the bank",
    "Deliver by Thu 24 Dec 2026, 2.00 p.m.",
    "VAT certificate",
  ]);
  const next = list.getAllByRole("listitem", { current: "step" });
  expect(next).toHaveLength(1);
  expect(next[0]).toHaveTextContent(/Buy the documents.*Next/);
  expect(list.getByText("Printed: “Rs. 5,000/=”")).toBeInTheDocument();
  expect(list.getByText("until Sun 20 Dec 2026")).toBeInTheDocument();
  expect(list.getByText("Usual practice, not from the notice")).toBeInTheDocument();
  expect(list.getByText(/^Changed since Nimal Perera ticked it/)).toBeInTheDocument();
  await userEvent.click(list.getByRole("checkbox", { name: "Buy the bidding documents: LKR 5,000" }));
  await userEvent.click(list.getByRole("button", { name: "Delete the row: Ask the bank" }));
  await waitFor(() => expect(server.changes).toHaveLength(2));
  expect(server.changes).toEqual([
    {
      method: "PUT",
      path: "/api/bids/a/checklist",
      body: { key: "buy-documents", fingerprint: "00000000000000aa", isDone: true },
    },
    { method: "DELETE", path: "/api/bids/a/checklist/r", body: null },
  ]);
});

it("names what the notice does not state without a box, and does not count it", async () => {
  const derived = { key: "s", kind: "bid-security", basis: "not-stated", isDoubtful: false };
  server.shown = {
    ...details,
    checklist: [...details.checklist, { key: "s", fingerprint: "0", derived, tick: null }],
  };
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  expect(list.getByText("1 of 5 steps done, own tasks included")).toBeInTheDocument();
  expect(list.getByText("Not stated in the notice, ask: Bid security")).toBeInTheDocument();
  expect(list.queryByRole("checkbox", { name: /^Bid security/ })).toBeNull();
});

it("ticks a row together with the task of the same name", async () => {
  server.shown = { ...details, tasks: [{ ...details.tasks[0], title: "buy the bidding documents" }] };
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  const name = "Buy the bidding documents: LKR 5,000";
  expect(list.getByText("1 of 4 steps done, own tasks included")).toBeInTheDocument();
  expect(list.getByText("Nimal Perera · was due Fri 20 Nov 2026")).toBeInTheDocument();
  expect(list.getByRole("button", { name: "Delete the task: buy the bidding documents" })).toBeEnabled();
  await userEvent.click(list.getByRole("checkbox", { name }));
  await waitFor(() => expect(server.changes).toHaveLength(2));
  expect(server.changes.map(({ path }) => path)).toEqual(["/api/bids/a/checklist", "/api/bids/a/tasks/k"]);
  expect(server.changes.every(({ body }) => (body as { isDone: boolean }).isDone)).toBe(true);
});

it("tells what the company profile has", async () => {
  open();
  expect(await screen.findByText("In your company profile: 101-7000")).toBeInTheDocument();
});

it("says of a grade what the page of the tender says", async () => {
  server.company = { cida: [{ grade: "C5", field: "Building" }] };
  server.notice = { cida: [{ grade: "C6", field: "Irrigation and Drainage Canals", alsoAdmits: "higher" }] };
  server.bidding = {
    requirements: [{ kind: "grade", path: "cida.0", verdict: "missing", reason: "other-field" }],
  };
  const derived = { key: "cida", kind: "cida", basis: "notice", text: "C6", isDoubtful: false };
  server.shown = { ...details, checklist: [{ key: "cida", fingerprint: "0", derived, tick: null }] };
  open();
  expect(
    await screen.findByText(/^Missing: CIDA C6 or above \(Irrigation and Drainage Canals\)\./),
  ).toBeInTheDocument();
  expect(screen.queryByText(/In your company profile: C5/)).toBeNull();
});

it("folds what was done before, and keeps in sight what the user ticks", async () => {
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  const done = list.getByText("Steps that are done: 1").closest("details");
  expect(done).not.toHaveAttribute("open");
  expect(done).toContainElement(list.getByRole("checkbox", { name: "VAT certificate", hidden: true }));
  server.shown = { ...details, tasks: [{ ...details.tasks[0], doneAt: "2026-11-21T12:00:00+05:30" }] };
  await userEvent.click(list.getByRole("checkbox", { name: "Buy the documents" }));
  await waitFor(() => expect(list.getByRole("checkbox", { name: "Buy the documents" })).toBeChecked());
  expect(done).not.toContainElement(list.getByRole("checkbox", { name: "Buy the documents" }));
});

it("asks for the day of a task once it has a title", async () => {
  open();
  const list = within(await screen.findByRole("region", { name: "What is to be done" }));
  expect(list.queryByRole("button", { name: "Add the task" })).toBeNull();
  await userEvent.type(list.getByLabelText("New task"), "Visit the site");
  expect(list.getByRole("button", { name: "Add the task" })).toBeEnabled();
});

it("server.changes a task in its place", async () => {
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Change the task: Buy the documents" }));
  const title = screen.getByLabelText("Task");
  await userEvent.clear(title);
  await userEvent.type(title, "Buy two sets");
  await userEvent.click(screen.getByRole("button", { name: "Save the task" }));
  await waitFor(() => expect(server.changes).toHaveLength(1));
  expect(server.changes[0]?.body).toEqual({
    title: "Buy two sets",
    due: "2026-11-20",
    assigneeId: "2",
    isDone: false,
  });
  expect(screen.queryByLabelText("Task")).toBeNull();
});

it("warns of own tasks that are due while offices are closed", async () => {
  const [task] = details.tasks;
  const on = (day: string, title: string) => ({ ...task, _id: day, title, due: day });
  server.holidays = [{ day: "2026-12-23", name: "Unduvap Full Moon Poya Day", isPoya: true }];
  server.shown = {
    ...details,
    tasks: [
      on("2026-12-05", "Saturday"),
      on("2026-12-23", "Poya"),
      on("2026-12-22", "Tuesday"),
      on("2026-11-15", "Past Sunday"),
    ],
  };
  open();
  const item = (name: string) => screen.getByRole("checkbox", { name }).closest("li");
  const closed = "Offices are usually closed on this day";
  expect(await screen.findByText(`${closed} (Unduvap Full Moon Poya Day)`)).toBeInTheDocument();
  expect(item("Poya")).toHaveTextContent(closed);
  expect(item("Saturday")).toHaveTextContent(`${closed} (weekend)`);
  expect(item("Tuesday")).not.toHaveTextContent(closed);
  expect(item("Past Sunday")).not.toHaveTextContent(closed);
});

it("tells the bid security in rupees if it is a share of a bid with a value", async () => {
  const derived = { key: "s", kind: "bid-security", basis: "notice", percentage: 1.5, isDoubtful: false };
  const checklist = [{ key: "s", fingerprint: "0", derived, tick: null }];
  server.shown = { ...details, checklist };
  const { unmount } = open();
  expect(await screen.findByText("Bid security: 1.5% of the bid = LKR 18,750")).toBeInTheDocument();
  unmount();
  server.shown = { ...details, checklist, bid: { ...details.bid, value: null } };
  open();
  expect(await screen.findByText("Bid security: 1.5% of the bid")).toBeInTheDocument();
});
