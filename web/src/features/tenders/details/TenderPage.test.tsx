import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { noFilters } from "@/shared/tender/filters.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { tenderList } from "../api.ts";
import { answerTo, condition, id, open, page, server, startServer, summary } from "./tenderPageServer.tsx";

beforeEach(startServer);

it("shows the summary of a locked tender and the ways to continue", async () => {
  const tender = { ...summary, locked: { reason: "visibility", plan: "professional" } };
  server.refusal = {
    code: "visibility",
    plan: "professional",
    message: "This tender is for subscribers",
    tender,
  };
  open();
  expect(await screen.findByRole("heading", { level: 1, name: "Supply of tyres" })).toBeInTheDocument();
  expect(screen.getByText("Ports Authority")).toBeInTheDocument();
  expect(screen.getByText("Closes Thu 26 Nov 2026, 2.30 p.m.")).toBeInTheDocument();
  expect(screen.getByText("This tender is for subscribers. Included in Professional.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "View Pricing Plans" })).toHaveAttribute("href", "/pricing");
  expect(screen.getByRole("link", { name: "Sign in" })).toHaveAttribute(
    "href",
    `/login?redirect=${encodeURIComponent(`/tenders/${id}`)}`,
  );
});

it("shows the summary from the listing when a guest's quota is used up", async () => {
  server.refusal = {
    code: "quota",
    plan: "free",
    message: "You have opened the 3 tenders that are free each month.",
  };
  const { client, router } = renderAt(page, { at: "/tenders" });
  await client.fetchQuery(tenderList(noFilters));
  await router.navigate(`/tenders/${id}`);
  expect(await screen.findByRole("heading", { level: 1, name: "Supply of tyres" })).toBeInTheDocument();
  expect(await screen.findByText(/free each month\. A free account includes 10\./)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Sign up" })).toHaveAttribute(
    "href",
    `/register?redirect=${encodeURIComponent(`/tenders/${id}`)}`,
  );
  expect(screen.getByRole("link", { name: "View Pricing Plans" })).toBeInTheDocument();
});

it("names the used-up quota and the quota of the next plan", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  server.refusal = {
    code: "quota",
    plan: "basic",
    message: "You have opened the 10 tenders",
    tender: summary,
  };
  open();
  expect(
    await screen.findByText("You have used all 10 tenders in the Free plan this month. Basic includes 100."),
  ).toBeInTheDocument();
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Supply of tyres");
});

it("shows a guest how many details are left", async () => {
  // The count is of a month, so the request counts at the time that the page shows.
  vi.spyOn(Date, "now").mockReturnValue(Date.parse("2026-11-21T09:00:00+05:30"));
  open();
  expect(await screen.findByText("2 of 3 details left this month")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Sign up for more" })).toHaveAttribute("href", "/register");
});

it("does not mention the guest quota to a signed-in user", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  open();
  expect(await screen.findByRole("button", { name: "Save" })).toBeInTheDocument();
  expect(screen.queryByText(/details left/)).not.toBeInTheDocument();
});

it("shows a dialog with a link to the plans if the plan does not include saving", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  const dialog = await screen.findByRole("dialog", { name: "Not in your plan" });
  expect(dialog).toHaveTextContent("Saved tenders are part of …");
  await userEvent.click(screen.getByRole("link", { name: "View Pricing Plans" }));
  await waitFor(() => expect(screen.getByText("Elsewhere")).toBeInTheDocument());
});

it.each([
  { status: 404, message: "Tender not found" },
  { status: 422, message: "The id in the address is not valid" },
])("says that there is no tender at an address with status $status", async (answer) => {
  server.refusal = answer;
  open();
  expect(await screen.findByRole("alert")).toHaveTextContent("The address may be mistyped");
  expect(screen.queryByText(answer.message)).not.toBeInTheDocument();
  expect(await screen.findByRole("heading", { name: "This tender does not exist" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "All tenders" })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Try Again" })).not.toBeInTheDocument();
});

it("answers a guest what is bought, how to submit and when it closes, and leads to sign-in for the rest", async () => {
  server.bidding = { requirements: [condition], methods: [], costs: [] };
  server.notice = {
    category: "Vehicles",
    location: { district: "Galle" },
    fullTextMarkdown: "Deliver bids to room 4.",
  };
  open();
  expect(await screen.findByRole("heading", { level: 1, name: "Supply of tyres" })).toBeInTheDocument();
  expect(screen.getByText(/^Vehicles ·/)).toHaveTextContent("Vehicles · Ports Authority · Galle");
  expect(answerTo("May I bid?")?.firstElementChild).toHaveAttribute(
    "href",
    `/login?redirect=${encodeURIComponent(`/tenders/${id}`)}`,
  );
  expect(answerTo("How to submit")).toHaveTextContent("See the text of the notice");
  expect(answerTo("Closes")).toHaveTextContent("Thu 26 Nov 2026, 2.30 p.m.");
  expect(screen.getByRole("link", { name: "E-mail me tenders like this with Professional" })).toHaveAttribute(
    "href",
    `/register?redirect=${encodeURIComponent(
      "/alert-settings?categories=Vehicles&districts=Galle&words=tyres&new=1",
    )}`,
  );
});

it("tells guests that a notice does not say who may bid, and sends nobody to the sign-in for it", async () => {
  const security = { kind: "bid-security", path: "financials.bidBond" };
  server.notice = { financials: { bidBond: { amount: 5_000, currency: "LKR" } } };
  server.bidding = { requirements: [security], methods: [], costs: [] };
  open();
  expect(await screen.findAllByText("The notice does not say who may bid")).toHaveLength(2);
  expect(answerTo("May I bid?")).toHaveTextContent("The notice does not say who may bid");
  expect(screen.queryByText(/whether you can/)).toBeNull();
});

it("says what the notice does not state, and that the notice invites no bids", async () => {
  open();
  expect(await screen.findByText("Not stated in the notice")).toBeInTheDocument();
  expect(answerTo("May I bid?")).toHaveTextContent("This notice does not invite bids");
});

it("names the publisher who states nothing, and quotes where bids are delivered", async () => {
  server.notice = { publishedBy: "organisation" };
  const { unmount } = open();
  expect(await screen.findByText("Not stated by the publisher")).toBeInTheDocument();
  unmount();
  server.bidding = {
    requirements: [],
    methods: [],
    delivery: "Room 4, Head office",
    costs: [],
    expiredDocuments: [],
  };
  server.notice = { publishedBy: "organisation", submission: { methods: [], place: "Room 4, Head office" } };
  open();
  expect(await screen.findByText("Room 4, Head office", { selector: "q" })).toBeInTheDocument();
  expect(screen.queryByText("Not stated by the publisher")).toBeNull();
});

it("does not quote where the first notice had bids delivered once a notice has changed it", async () => {
  server.bidding = {
    requirements: [],
    methods: ["post"],
    delivery: "By 1 December, to room 4",
    costs: [],
    expiredDocuments: [],
  };
  const { unmount } = open();
  expect(await screen.findByText("By 1 December, to room 4")).toBeInTheDocument();
  unmount();
  const source = "Daily Lanka, 2026-11-25, page 4";
  const change = {
    field: "dates.closing",
    from: "2026-12-01T14:15:00+05:30",
    at: "2026-11-25T08:00:00+05:30",
    source,
  };
  server.notice = { changes: [change] };
  open();
  expect(await screen.findByText(/by post/i)).toBeInTheDocument();
  expect(screen.queryByText("By 1 December, to room 4")).toBeNull();
});

it("says of a sale that offers are invited", async () => {
  server.notice = { kind: "sale" };
  open();
  expect(await screen.findByText("A sale: offers are invited")).toBe(answerTo("May I bid?"));
});

it("names the ways of delivery and the hour", async () => {
  const delivery = "Bids shall be placed in the tender box at No. 7, Galle.";
  server.bidding = {
    answer: null,
    requirements: [],
    methods: ["sealed-envelope", "tender-box"],
    delivery,
    costs: [],
  };
  open();
  await screen.findByText("in a sealed envelope, into the tender box, must arrive by 2.30 p.m.");
  expect(answerTo("How to submit")).toHaveTextContent("into the tender box");
  expect(answerTo("How to submit")).toHaveTextContent(delivery);
});

it("says that a tender has ended before its closing, and counts no days", async () => {
  server.notice = { status: "cancelled" };
  open();
  expect(await screen.findByText("This tender is cancelled. It takes no more bids.")).toBeInTheDocument();
  expect(answerTo("Closes")).toHaveTextContent("Thu 26 Nov 2026, 2.30 p.m.Cancelled");
  expect(answerTo("May I bid?")).toHaveTextContent("It takes no more bids");
  expect(screen.queryByText(/Closing in/)).not.toBeInTheDocument();
});

it("invites nobody to bid for a closed tender, unless its closing is not certain", async () => {
  server.notice = { dates: { closing: "2026-11-01T14:30:00+05:30" } };
  server.bidding = { requirements: [condition], methods: [], costs: [] };
  const { unmount } = open();
  await screen.findByRole("heading", { level: 1, name: "Supply of tyres" });
  expect(answerTo("May I bid?")).toHaveTextContent("It takes no more bids");
  unmount();
  server.notice = { ...server.notice, fieldStates: { "dates.closing": "doubtful" } };
  open();
  await screen.findByText("Closed, not certain");
  expect(answerTo("May I bid?")).toHaveTextContent("Sign in to see whether you can");
});

it("tells from when a closing was extended, and that text and clip are older", async () => {
  const change = {
    at: "2026-11-19T06:00:00+05:30",
    field: "dates.closing",
    from: "2026-11-24T14:00:00+05:30",
    to: summary.dates.closing,
    source: "Lanka Ledger, 2026-11-19, page 2",
  };
  server.notice = { changes: [change], fullTextMarkdown: "Bids close on 24 November." };
  open();
  await screen.findByText("Extended from Tue 24 Nov 2026 (Lanka Ledger, Thu 19 Nov 2026)");
  expect(screen.getByText(/^This is the text of the first notice\./)).toBeInTheDocument();
});

it("names the notice of a change with its day, and leads to its clip", async () => {
  const source = { publication: "Lanka Ledger", date: "2026-11-19", page: 1, clipUrl: "/ledger.png" };
  const change = { at: "2026-11-19T06:00:00+05:30", source: "Lanka Ledger, 2026-11-19, page 1" };
  server.notice = {
    sources: [source],
    changes: [{ ...change, field: "referenceNo", from: "A/1", to: "A/2" }],
  };
  open();
  expect(await screen.findByText(/corrected by Lanka Ledger, Thu 19 Nov 2026, page 1/)).toBeVisible();
  const clip = screen.getByRole("link", {
    name: "The printed notice: Lanka Ledger, Thu 19 Nov 2026, page 1",
  });
  expect(clip).toHaveAttribute("href", "/ledger.png");
});

it("labels a sale, and asks nobody to say that they bid", async () => {
  server.notice = { kind: "sale" };
  open();
  await screen.findByRole("heading", { level: 1, name: "Supply of tyres" });
  expect(
    within(screen.getByRole("article").querySelector("header") as HTMLElement).getByText(
      "Sale by the organisation",
    ),
  ).toBeInTheDocument();
  expect(await screen.findByRole("button", { name: "Share" })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: /intend to bid/ })).not.toBeInTheDocument();
});

it("names a closed day before the closing as such", async () => {
  server.notice = { dates: { closing: "2026-12-26T14:30:00+05:30" } };
  open();
  const fact = await screen.findByText("Fri 25 Dec 2026 is a public holiday");
  expect(fact.parentElement).toHaveTextContent("The day before: Fri 25 Dec 2026 is a public holiday");
});

it("asks whether the reader may register and leaves out the category “Other”", async () => {
  server.notice = { kind: "registration", category: "Other" };
  server.bidding = { requirements: [], methods: [], costs: [] };
  open();
  const name = "Sign in to say that you intend to register";
  expect(await screen.findByRole("link", { name })).toBeVisible();
  expect(answerTo("May I register?")).toHaveTextContent("The notice does not say who may register");
  expect(screen.queryByText("May I bid?")).toBeNull();
  expect(screen.getAllByText(/Ports Authority/)[0]?.closest("p")).toHaveTextContent(/^Ports Authority$/);
});

it("tells guests that a tender closes on a public holiday or a weekend", async () => {
  server.notice = { dates: { closing: "2026-12-25T14:30:00+05:30" } };
  const { unmount } = open();
  expect(await screen.findByText("Fri 25 Dec 2026 is a public holiday")).toBeVisible();
  unmount();
  server.notice = { dates: { closing: "2026-11-28T14:30:00+05:30" } };
  open();
  expect(await screen.findByText("Sat 28 Nov 2026 is a weekend day")).toBeVisible();
});

it("tells a guest who asks too fast how many minutes to wait, without an error", async () => {
  server.refusal = {
    status: 429,
    message: "Too many requests. Please try again in 952 seconds.",
    wait: "952",
  };
  open();
  expect(await screen.findByText("Too many requests. Please try again in 16 minutes.")).toBeVisible();
  expect(screen.queryByText("The details could not be loaded")).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Try Again" })).toBeVisible();
});
