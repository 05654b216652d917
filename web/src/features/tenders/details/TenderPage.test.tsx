import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes } from "react-router";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { noFilters } from "@/shared/tender/filters.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { tenderList } from "../api.ts";
import { Component as TenderPage } from "./TenderPage.tsx";

const id = "01939999-0000-7000-8000-000000000001";
const summary = {
  _id: id,
  title: "Supply of tyres",
  publishedBy: "newspaper",
  organization: { name: "Ports Authority" },
  dates: { closing: "2026-11-26T14:30:00+05:30" },
};
const plans = [
  { name: "free", features: { maxTenderViews: 10 } },
  { name: "basic", features: { maxTenderViews: 100 } },
  { name: "enterprise", features: { maxTenderViews: -1 } },
];

/** The server's refusal of the details. */
let refusal: Record<string, unknown> | null;
let plan: string;
/** What the notice has beyond its summary. */
let notice: object;
let bidding: object | null;
let company: object;
/** The user's bid for the tender, and the tick of the purchase of documents in its checklist. */
let bid: object | null;
let tick: object | null;

beforeEach(() => {
  refusal = null;
  notice = {};
  bidding = null;
  company = {};
  [bid, tick] = [null, null];
  plan = "free";
  session.clear();
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL((input as Request).url);
    const reply = (body: object, status = 200) =>
      new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
    const user = {
      firstName: "A",
      lastName: "B",
      role: "buyer",
      subscription: { plan, features: { emailAlerts: false } },
    };
    if (pathname === "/api/auth/me") return reply({ success: true, data: { user } });
    if (pathname.endsWith("/company")) return reply({ success: true, data: { company } });
    if (pathname === "/api/calendar/holidays") {
      const holidays = [{ day: "2026-12-25", name: "Christmas Day", isPoya: false }];
      return reply({ success: true, data: { holidays } });
    }
    if (pathname === "/api/subscriptions/plans") return reply({ success: true, data: { plans } });
    if (pathname === "/api/tenders") {
      return reply({ success: true, data: { tenders: [summary], pagination: {} } });
    }
    if (pathname.endsWith("/awards")) return reply({ success: true, data: { awards: [], spreads: [] } });
    if (pathname.endsWith("/similar")) return reply({ success: true, data: { tenders: [] } });
    if (pathname === "/api/bids/b") {
      const checklist = [{ key: "buy-documents", derived: { kind: "buy-documents" }, tick }];
      return reply({ success: true, data: { bid, checklist } });
    }
    if (pathname.startsWith("/api/saved/")) {
      return reply({ success: false, message: "Saved tenders are part of …", plan: "professional" }, 403);
    }
    if (refusal) {
      const response = reply({ success: false, ...refusal }, Number(refusal.status ?? 403));
      if (refusal.wait) response.headers.set("retry-after", String(refusal.wait));
      return response;
    }
    const statistics = { views: 1, downloads: 0, applications: 0 };
    const open = { status: "published", statistics, isExpired: false, isClosingToday: false };
    const tender = { ...summary, ...open, ...notice };
    return reply({
      success: true,
      data: { tender, intends: false, isSaved: false, fetchesDocuments: false, bidding, bid },
    });
  });
});

const page = (
  <Routes>
    <Route path="/tenders/:id" element={<TenderPage />} />
    <Route path="*" element={<p>Elsewhere</p>} />
  </Routes>
);
const open = () => renderAt(page, { at: `/tenders/${id}` });

it("shows the summary of a locked tender and the ways to continue", async () => {
  const tender = { ...summary, locked: { reason: "visibility", plan: "professional" } };
  refusal = { code: "visibility", plan: "professional", message: "This tender is for subscribers", tender };
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
  refusal = {
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
  refusal = { code: "quota", plan: "basic", message: "You have opened the 10 tenders", tender: summary };
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
  refusal = answer;
  open();
  expect(await screen.findByRole("alert")).toHaveTextContent("The address may be mistyped");
  expect(screen.queryByText(answer.message)).not.toBeInTheDocument();
  expect(await screen.findByRole("heading", { name: "This tender does not exist" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "All tenders" })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Try Again" })).not.toBeInTheDocument();
});

/** A condition, as a guest sees it. */
const condition = { kind: "grade", path: "cida.0" };

/** The answer to a question in the head of the page. */
const answerTo = (question: string) =>
  screen
    .getAllByText(question)
    .find(({ tagName, nextElementSibling }) => tagName === "DT" && nextElementSibling?.tagName === "DD")
    ?.nextElementSibling;

it("answers a guest what is bought, how to submit and when it closes, and leads to sign-in for the rest", async () => {
  bidding = { requirements: [condition], methods: [], costs: [] };
  notice = {
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
  notice = { financials: { bidBond: { amount: 5_000, currency: "LKR" } } };
  bidding = { requirements: [security], methods: [], costs: [] };
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
  notice = { publishedBy: "organisation" };
  const { unmount } = open();
  expect(await screen.findByText("Not stated by the publisher")).toBeInTheDocument();
  unmount();
  bidding = {
    requirements: [],
    methods: [],
    delivery: "Room 4, Head office",
    costs: [],
    expiredDocuments: [],
  };
  notice = { publishedBy: "organisation", submission: { methods: [], place: "Room 4, Head office" } };
  open();
  expect(await screen.findByText("Room 4, Head office", { selector: "q" })).toBeInTheDocument();
  expect(screen.queryByText("Not stated by the publisher")).toBeNull();
});

it("does not quote where the first notice had bids delivered once a notice has changed it", async () => {
  bidding = {
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
  notice = { changes: [change] };
  open();
  expect(await screen.findByText(/by post/i)).toBeInTheDocument();
  expect(screen.queryByText("By 1 December, to room 4")).toBeNull();
});

it("says of a sale that offers are invited", async () => {
  notice = { kind: "sale" };
  open();
  expect(await screen.findByText("A sale: offers are invited")).toBe(answerTo("May I bid?"));
});

it("names the ways of delivery and the hour", async () => {
  const delivery = "Bids shall be placed in the tender box at No. 7, Galle.";
  bidding = {
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

it("names the first thing that is missing, in the head and in the panel", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  notice = { cida: [{ grade: "C5" }] };
  const requirement = { kind: "grade", path: "cida.0", verdict: "missing", reason: "not-in-profile" };
  bidding = { answer: "missing", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findAllByText("Missing: CIDA C5")).toHaveLength(2);
  expect(screen.getByRole("link", { name: "Missing: CIDA C5" })).toHaveAttribute("href", "#may-i-bid");
});

it("lists no field that the panel shows, no empty text, and no name in capitals", async () => {
  const name = "MAHAWELI AUTHORITY OF SRI LANKA";
  notice = { cida: [{ grade: "C5" }], kind: "purchase", organization: { name, type: "government" } };
  const requirement = { kind: "grade", path: "cida.0", verdict: "missing", reason: "not-in-profile" };
  bidding = { answer: "missing", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findByText("CIDA grade C5")).toBeVisible();
  expect(screen.queryByText("CIDA grade")).not.toBeInTheDocument();
  expect(screen.queryByText("Full text of the notice")).not.toBeInTheDocument();
  expect(screen.getByText("Organisation").nextSibling).toHaveTextContent("Mahaweli Authority of Sri Lanka");
  expect(screen.getByText("Kind of notice").closest("details")).not.toHaveAttribute("open");
});

it("names a field of the panel again if it is not certain", async () => {
  notice = { cida: [{ grade: "C5" }], fieldStates: { cida: "doubtful" } };
  const requirement = { kind: "grade", path: "cida.0", verdict: "missing", reason: "not-in-profile" };
  bidding = { answer: "missing", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findByTitle(/Construction Industry Development Authority/)).toBeVisible();
});

it("says that a tender has ended before its closing, and counts no days", async () => {
  notice = { status: "cancelled" };
  open();
  expect(await screen.findByText("This tender is cancelled. It takes no more bids.")).toBeInTheDocument();
  expect(answerTo("Closes")).toHaveTextContent("Thu 26 Nov 2026, 2.30 p.m.Cancelled");
  expect(answerTo("May I bid?")).toHaveTextContent("It takes no more bids");
  expect(screen.queryByText(/Closing in/)).not.toBeInTheDocument();
});

it("invites nobody to bid for a closed tender, unless its closing is not certain", async () => {
  notice = { dates: { closing: "2026-11-01T14:30:00+05:30" } };
  bidding = { requirements: [condition], methods: [], costs: [] };
  const { unmount } = open();
  await screen.findByRole("heading", { level: 1, name: "Supply of tyres" });
  expect(answerTo("May I bid?")).toHaveTextContent("It takes no more bids");
  unmount();
  notice = { ...notice, fieldStates: { "dates.closing": "doubtful" } };
  open();
  await screen.findByText("Closed, not certain");
  expect(answerTo("May I bid?")).toHaveTextContent("Sign in to see whether you can");
});

it("says that the documents are no longer sold, in the head and beside the fee", async () => {
  notice = { documentFee: { amount: 2_000, currency: "LKR", saleUntil: "2026-11-19" } };
  const fee = { kind: "document-fee", amount: 2_000, currency: "LKR", due: "2026-11-19" };
  bidding = { requirements: [], methods: [], costs: [{ ...fee, isEstimate: false, isRefunded: false }] };
  open();
  const words = "Documents no longer sold; last day Thu 19 Nov 2026";
  expect(await screen.findByText(words)).toBeInTheDocument();
  expect(screen.getByText(`not returned · ${words}`)).toBeInTheDocument();
});

it.each([
  { stage: "submitted", isBought: false, isWarned: false, answer: "You have submitted a bid" },
  { stage: "won", isBought: false, isWarned: false, answer: "You can bid" },
  { stage: "preparing", isBought: true, isWarned: false, answer: "You can bid" },
  { stage: "preparing", isBought: false, isWarned: true, answer: /^Not certain: whether you bought/ },
])(
  "warns of the end of the sale of $stage bids, bought: $isBought",
  async ({ stage, isBought, isWarned, answer }) => {
    session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
    bid = { _id: "b", stage };
    tick = isBought ? { at: "2026-11-18T10:00:00+05:30" } : null;
    notice = {
      cida: [{ grade: "C5" }],
      documentFee: { amount: 2_000, currency: "LKR", saleUntil: "2026-11-19" },
    };
    const documents = {
      kind: "documents",
      path: "documentFee.saleUntil",
      verdict: "not-certain",
      reason: "sale-ended",
    };
    const grade = { kind: "grade", path: "cida.0", verdict: "met", row: 0 };
    bidding = { answer: "not-certain", requirements: [documents, grade], methods: [], costs: [] };
    open();
    expect(await screen.findAllByText(answer)).toHaveLength(2);
    expect(screen.queryAllByText(/no longer sold/).length > 0).toBe(isWarned);
  },
);

it("tells from when a closing was extended, and that text and clip are older", async () => {
  const change = {
    at: "2026-11-19T06:00:00+05:30",
    field: "dates.closing",
    from: "2026-11-24T14:00:00+05:30",
    to: summary.dates.closing,
    source: "Lanka Ledger, 2026-11-19, page 2",
  };
  notice = { changes: [change], fullTextMarkdown: "Bids close on 24 November." };
  open();
  await screen.findByText("Extended from Tue 24 Nov 2026 (Lanka Ledger, Thu 19 Nov 2026)");
  expect(screen.getByText(/^This is the text of the first notice\./)).toBeInTheDocument();
});

it("gives a lower bound if the notice does not state every amount", async () => {
  const cost = { currency: "LKR", isEstimate: false, isRefunded: false };
  bidding = {
    requirements: [],
    methods: [],
    costs: [
      { ...cost, kind: "document-fee", amount: 9_000 },
      { ...cost, kind: "contracts-act", amount: 1_000 },
      { ...cost, kind: "bid-security", amount: null },
    ],
  };
  open();
  expect(await screen.findByText("At least LKR 10,000")).toBeInTheDocument();
});

it("leaves documents that are no longer sold out of the sum, until the user has them", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  notice = { documentFee: { amount: 12_000, currency: "LKR", saleUntil: "2026-11-18" } };
  const cost = { currency: "LKR", isEstimate: false, isRefunded: false };
  bidding = {
    answer: null,
    requirements: [],
    methods: [],
    costs: [
      { ...cost, kind: "document-fee", amount: 12_000, due: "2026-11-18" },
      { ...cost, kind: "contracts-act", amount: 1_000 },
      { ...cost, kind: "bid-security", amount: 50_000 },
    ],
  };
  const { unmount } = open();
  const sum = await screen.findByRole("row", { name: /^Together/ });
  expect(sum).toHaveTextContent("Togetherwithout the documents, which are no longer soldLKR 51,000");
  unmount();
  bid = { _id: "b", stage: "preparing" };
  tick = { at: "2026-11-17T12:00:00+05:30", by: null };
  open();
  await waitFor(() => {
    expect(screen.getByRole("row", { name: /^Together/ })).toHaveTextContent("TogetherLKR 63,000");
  });
});

it("names everything that is missing, first what is missing, and collects costs without an amount", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  notice = { cida: [{ grade: "C5", field: "Highways" }], eligibility: { experience: { years: 5 } } };
  const grade = { kind: "grade", path: "cida.0", verdict: "missing", reason: "other-field", row: 0 };
  const experience = { kind: "experience", verdict: "missing", reason: "too-low" };
  const law = { kind: "contracts-act", verdict: "met", row: 0 };
  const cost = { currency: "LKR", isEstimate: false, isRefunded: false };
  bidding = {
    answer: "missing",
    requirements: [law, grade, experience],
    methods: [],
    costs: [
      { ...cost, kind: "contracts-act", amount: null },
      { ...cost, kind: "document-fee", amount: 2_000, due: "2026-11-25" },
      { ...cost, kind: "bid-security", amount: null, due: "2026-11-26" },
    ],
  };
  open();
  expect(await screen.findByText("Missing: CIDA C5 (Highways), 5 years of experience")).toBeInTheDocument();
  const panel = within(screen.getByRole("region", { name: "May I bid?" }));
  const asked = panel.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(asked.map((text) => text?.split(":")[0])).toEqual(["Missing", "Missing", "You have it"]);
  expect(panel.getByRole("row", { name: /^Document fee/ })).toHaveTextContent("Wed 25 Nov 2026LKR 2,000");
  expect(
    panel.getByText(
      "Amount not stated: Registration under the Public Contracts Act, Bid security (by Thu 26 Nov 2026)",
    ),
  ).toBeInTheDocument();
});

it("tells who has submitted a bid so, and not that they can bid", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  bid = { _id: "b", stage: "submitted" };
  const requirement = { kind: "grade", path: "cida.0", verdict: "met" };
  notice = { cida: [{ grade: "C5" }] };
  bidding = { answer: "can-bid", requirements: [requirement], methods: [], costs: [] };
  open();
  const panel = within(await screen.findByRole("region", { name: "May I bid?" }));
  expect(panel.getByText("You have submitted a bid")).toBeVisible();
  expect(answerTo("May I bid?")).toHaveTextContent("You have submitted a bid");
  expect(screen.queryByText("You can bid")).toBeNull();
});

it("tells in one statement that a bid is submitted and what the profile lacks, until bids close", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  bid = { _id: "b", stage: "submitted" };
  const requirement = { kind: "grade", path: "cida.0", verdict: "missing", reason: "too-low", row: 0 };
  notice = { cida: [{ grade: "C4", field: "Highways" }] };
  bidding = { answer: "missing", requirements: [requirement], methods: [], costs: [] };
  const { unmount } = open();
  const statement = "Submitted. Your profile lacks: CIDA C4 (Highways)";
  const panel = within(await screen.findByRole("region", { name: "May I bid?" }));
  expect(panel.getByText(statement)).toBeVisible();
  expect(answerTo("May I bid?")).toHaveTextContent(statement);
  unmount();
  notice = { ...notice, dates: { closing: "2026-11-01T14:30:00+05:30" } };
  open();
  await screen.findByRole("region", { name: "May I bid?" });
  expect(answerTo("May I bid?")).toHaveTextContent(/^You have submitted a bid$/);
});

it.each([
  ["2027-01-15", "Your registration C5 Building ends on Fri 15 Jan 2027, 50 days after closing."],
  ["2026-11-27", "Your registration C5 Building ends on Fri 27 Nov 2026, 1 day after closing."],
  ["2026-11-26", "Your registration C5 Building ends on Thu 26 Nov 2026, the closing day."],
  ["2027-02-25", null],
])("warns of a registration that ends on %s, soon after the closing", async (expires, warning) => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  company = { cida: [{ grade: "C5", field: "Building", expires }] };
  notice = { cida: [{ grade: "C5" }] };
  const requirement = { kind: "grade", path: "cida.0", verdict: "met", row: 0 };
  bidding = { answer: "can-bid", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findByText(/^Your company: C5, Building/)).toBeVisible();
  if (warning) expect(screen.getByText(warning)).toBeVisible();
  else expect(screen.queryByText(/^Your registration/)).toBeNull();
});

it("tells nobody to bid for a tender that has closed", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  notice = { status: "closed", cida: [{ grade: "C5" }] };
  const requirement = { kind: "grade", path: "cida.0", verdict: "met" };
  bidding = { answer: "can-bid", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findByText("This tender takes no more bids.")).toBeInTheDocument();
  expect(answerTo("May I bid?")).toHaveTextContent("It takes no more bids");
  expect(screen.queryByText("You can bid")).not.toBeInTheDocument();
});

it("tells a reader without a profile what is compared", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  notice = { cida: [{ grade: "C5" }] };
  const requirements = [{ kind: "bid-security" }, { kind: "grade", path: "cida.0" }];
  bidding = { answer: null, requirements, methods: [], costs: [] };
  open();
  const panel = within(await screen.findByRole("region", { name: "May I bid?" }));
  expect(
    panel.getByText(/It is compared with: CIDA registrations, the bid security that your bank gives\./),
  ).toBeInTheDocument();
  expect(panel.getAllByRole("link")).toHaveLength(1);
});

it("compares a bid security with the limit of the bank only", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  company = { bondLimit: 40_000_000 };
  notice = { financials: { bidBond: { required: true, amount: 240_000, currency: "LKR" } } };
  const requirement = { kind: "bid-security", path: "financials.bidBond", verdict: "met" };
  bidding = { answer: "not-stated", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findByText("Within your bank's limit (LKR 40,000,000)")).toBeInTheDocument();
  expect(screen.queryByText(/You have it/)).not.toBeInTheDocument();
});

it.each(["cancelled", "withdrawn", "closed", "awarded"])(
  "neither compares the company with a %s tender nor offers its closing for a calendar",
  async (status) => {
    session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
    company = { bondLimit: 40_000_000 };
    notice = { status, financials: { bidBond: { required: true, amount: 240_000, currency: "LKR" } } };
    const requirement = { kind: "bid-security", path: "financials.bidBond", verdict: "met" };
    bidding = { answer: "can-bid", requirements: [requirement], methods: [], costs: [] };
    open();
    const panel = within(await screen.findByRole("region", { name: "May I bid?" }));
    expect(await panel.findByText("Bid security LKR 240,000")).toBeInTheDocument();
    expect(panel.queryByText(/Within your bank's limit/)).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Print" })).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Add to calendar" })).not.toBeInTheDocument();
  },
);

it("names the notice of a change with its day, and leads to its clip", async () => {
  const source = { publication: "Lanka Ledger", date: "2026-11-19", page: 1, clipUrl: "/ledger.png" };
  const change = { at: "2026-11-19T06:00:00+05:30", source: "Lanka Ledger, 2026-11-19, page 1" };
  notice = { sources: [source], changes: [{ ...change, field: "referenceNo", from: "A/1", to: "A/2" }] };
  open();
  expect(await screen.findByText(/corrected by Lanka Ledger, Thu 19 Nov 2026, page 1/)).toBeVisible();
  const clip = screen.getByRole("link", {
    name: "The printed notice: Lanka Ledger, Thu 19 Nov 2026, page 1",
  });
  expect(clip).toHaveAttribute("href", "/ledger.png");
});

it("labels a sale, and asks nobody to say that they bid", async () => {
  notice = { kind: "sale" };
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
  notice = { dates: { closing: "2026-12-26T14:30:00+05:30" } };
  open();
  const fact = await screen.findByText("Fri 25 Dec 2026 is a public holiday");
  expect(fact.parentElement).toHaveTextContent("The day before: Fri 25 Dec 2026 is a public holiday");
});

it("asks whether the reader may register and leaves out the category “Other”", async () => {
  notice = { kind: "registration", category: "Other" };
  bidding = { requirements: [], methods: [], costs: [] };
  open();
  const name = "Sign in to say that you intend to register";
  expect(await screen.findByRole("link", { name })).toBeVisible();
  expect(answerTo("May I register?")).toHaveTextContent("The notice does not say who may register");
  expect(screen.queryByText("May I bid?")).toBeNull();
  expect(screen.getAllByText(/Ports Authority/)[0]?.closest("p")).toHaveTextContent(/^Ports Authority$/);
});

it("tells guests that a tender closes on a public holiday or a weekend", async () => {
  notice = { dates: { closing: "2026-12-25T14:30:00+05:30" } };
  const { unmount } = open();
  expect(await screen.findByText("Fri 25 Dec 2026 is a public holiday")).toBeVisible();
  unmount();
  notice = { dates: { closing: "2026-11-28T14:30:00+05:30" } };
  open();
  expect(await screen.findByText("Sat 28 Nov 2026 is a weekend day")).toBeVisible();
});

it("names the closed days near the last day of the sale and of each cost", async () => {
  notice = { documentFee: { amount: 5_000, currency: "LKR", saleUntil: "2026-12-25" } };
  const cost = { currency: "LKR", isEstimate: false, isRefunded: false };
  bidding = {
    answer: null,
    requirements: [],
    methods: [],
    costs: [
      { ...cost, kind: "document-fee", amount: 5_000, due: "2026-12-25" },
      { ...cost, kind: "bid-security", amount: 20_000, due: "2026-12-26" },
    ],
  };
  open();
  expect(await screen.findByRole("row", { name: /^Document fee/ })).toBeVisible();
  const fee = within(screen.getByRole("row", { name: /^Document fee/ }));
  expect(await fee.findByText("Fri 25 Dec 2026 is a public holiday")).toBeVisible();
  const security = within(screen.getByRole("row", { name: /^Bid security/ }));
  // The day before is a holiday, and the day itself a Saturday.
  expect(await security.findByText("Fri 25 Dec 2026 is a public holiday")).toBeVisible();
  expect(security.getByText("Sat 26 Dec 2026 is a weekend day")).toBeVisible();
  const sale = screen.getByText("until Fri 25 Dec 2026").closest("dd") as HTMLElement;
  expect(within(sale).getByText("Fri 25 Dec 2026 is a public holiday")).toBeVisible();
});

it("leaves the cash folded and the hour out where no more bids are taken", async () => {
  notice = { status: "cancelled" };
  bidding = {
    answer: null,
    methods: ["tender-box"],
    requirements: [],
    costs: [{ kind: "document-fee", amount: 3500, currency: "LKR", isRefunded: false, isEstimate: false }],
  };
  open();
  expect(await screen.findByText("How bids were submitted")).toBeVisible();
  expect(screen.queryByText(/arrive by 2.30/)).not.toBeInTheDocument();
  expect(screen.getByText("LKR 3,500")).not.toBeVisible();
  await userEvent.click(screen.getByText("Cash to bid"));
  expect(screen.getByText("LKR 3,500")).toBeVisible();
});

it("tells a guest who asks too fast how many minutes to wait, without an error", async () => {
  refusal = { status: 429, message: "Too many requests. Please try again in 952 seconds.", wait: "952" };
  open();
  expect(await screen.findByText("Too many requests. Please try again in 16 minutes.")).toBeVisible();
  expect(screen.queryByText("The details could not be loaded")).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Try Again" })).toBeVisible();
});
