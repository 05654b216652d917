import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { session } from "@/api/client.ts";
import { tokenUntil } from "@/testing/render.tsx";
import { answerTo, open, server, startServer } from "./tenderPageServer.tsx";

beforeEach(startServer);

it("names the first thing that is missing, in the head and in the panel", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  server.notice = { cida: [{ grade: "C5" }] };
  const requirement = { kind: "grade", path: "cida.0", verdict: "missing", reason: "not-in-profile" };
  server.bidding = { answer: "missing", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findAllByText("Missing: CIDA C5")).toHaveLength(2);
  expect(screen.getByRole("link", { name: "Missing: CIDA C5" })).toHaveAttribute("href", "#may-i-bid");
});

it("lists no field that the panel shows, no empty text, and no name in capitals", async () => {
  const name = "MAHAWELI AUTHORITY OF SRI LANKA";
  server.notice = { cida: [{ grade: "C5" }], kind: "purchase", organization: { name, type: "government" } };
  const requirement = { kind: "grade", path: "cida.0", verdict: "missing", reason: "not-in-profile" };
  server.bidding = { answer: "missing", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findByText("CIDA grade C5")).toBeVisible();
  expect(screen.queryByText("CIDA grade")).not.toBeInTheDocument();
  expect(screen.queryByText("Full text of the notice")).not.toBeInTheDocument();
  expect(screen.getByText("Organisation").nextSibling).toHaveTextContent("Mahaweli Authority of Sri Lanka");
  expect(screen.getByText("Kind of notice").closest("details")).not.toHaveAttribute("open");
});

it("names a field of the panel again if it is not certain", async () => {
  server.notice = { cida: [{ grade: "C5" }], fieldStates: { cida: "doubtful" } };
  const requirement = { kind: "grade", path: "cida.0", verdict: "missing", reason: "not-in-profile" };
  server.bidding = { answer: "missing", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findByTitle(/Construction Industry Development Authority/)).toBeVisible();
});

it("says that the documents are no longer sold, in the head and beside the fee", async () => {
  server.notice = { documentFee: { amount: 2_000, currency: "LKR", saleUntil: "2026-11-19" } };
  const fee = { kind: "document-fee", amount: 2_000, currency: "LKR", due: "2026-11-19" };
  server.bidding = {
    requirements: [],
    methods: [],
    costs: [{ ...fee, isEstimate: false, isRefunded: false }],
  };
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
    server.bid = { _id: "b", stage };
    server.tick = isBought ? { at: "2026-11-18T10:00:00+05:30" } : null;
    server.notice = {
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
    server.bidding = { answer: "not-certain", requirements: [documents, grade], methods: [], costs: [] };
    open();
    expect(await screen.findAllByText(answer)).toHaveLength(2);
    expect(screen.queryAllByText(/no longer sold/).length > 0).toBe(isWarned);
  },
);

it("gives a lower bound if the notice does not state every amount", async () => {
  const cost = { currency: "LKR", isEstimate: false, isRefunded: false };
  server.bidding = {
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
  server.notice = { documentFee: { amount: 12_000, currency: "LKR", saleUntil: "2026-11-18" } };
  const cost = { currency: "LKR", isEstimate: false, isRefunded: false };
  server.bidding = {
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
  server.bid = { _id: "b", stage: "preparing" };
  server.tick = { at: "2026-11-17T12:00:00+05:30", by: null };
  open();
  await waitFor(() => {
    expect(screen.getByRole("row", { name: /^Together/ })).toHaveTextContent("TogetherLKR 63,000");
  });
});

it("names everything that is missing, first what is missing, and collects costs without an amount", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  server.notice = { cida: [{ grade: "C5", field: "Highways" }], eligibility: { experience: { years: 5 } } };
  const grade = { kind: "grade", path: "cida.0", verdict: "missing", reason: "other-field", row: 0 };
  const experience = { kind: "experience", verdict: "missing", reason: "too-low" };
  const law = { kind: "contracts-act", verdict: "met", row: 0 };
  const cost = { currency: "LKR", isEstimate: false, isRefunded: false };
  server.bidding = {
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
  server.bid = { _id: "b", stage: "submitted" };
  const requirement = { kind: "grade", path: "cida.0", verdict: "met" };
  server.notice = { cida: [{ grade: "C5" }] };
  server.bidding = { answer: "can-bid", requirements: [requirement], methods: [], costs: [] };
  open();
  const panel = within(await screen.findByRole("region", { name: "May I bid?" }));
  expect(panel.getByText("You have submitted a bid")).toBeVisible();
  expect(answerTo("May I bid?")).toHaveTextContent("You have submitted a bid");
  expect(screen.queryByText("You can bid")).toBeNull();
});

it("tells in one statement that a bid is submitted and what the profile lacks, until bids close", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  server.bid = { _id: "b", stage: "submitted" };
  const requirement = { kind: "grade", path: "cida.0", verdict: "missing", reason: "too-low", row: 0 };
  server.notice = { cida: [{ grade: "C4", field: "Highways" }] };
  server.bidding = { answer: "missing", requirements: [requirement], methods: [], costs: [] };
  const { unmount } = open();
  const statement = "Submitted. Your profile lacks: CIDA C4 (Highways)";
  const panel = within(await screen.findByRole("region", { name: "May I bid?" }));
  expect(panel.getByText(statement)).toBeVisible();
  expect(answerTo("May I bid?")).toHaveTextContent(statement);
  unmount();
  server.notice = { ...server.notice, dates: { closing: "2026-11-01T14:30:00+05:30" } };
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
  server.company = { cida: [{ grade: "C5", field: "Building", expires }] };
  server.notice = { cida: [{ grade: "C5" }] };
  const requirement = { kind: "grade", path: "cida.0", verdict: "met", row: 0 };
  server.bidding = { answer: "can-bid", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findByText(/^Your company: C5, Building/)).toBeVisible();
  if (warning) expect(screen.getByText(warning)).toBeVisible();
  else expect(screen.queryByText(/^Your registration/)).toBeNull();
});

it("tells nobody to bid for a tender that has closed", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  server.notice = { status: "closed", cida: [{ grade: "C5" }] };
  const requirement = { kind: "grade", path: "cida.0", verdict: "met" };
  server.bidding = { answer: "can-bid", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findByText("This tender takes no more bids.")).toBeInTheDocument();
  expect(answerTo("May I bid?")).toHaveTextContent("It takes no more bids");
  expect(screen.queryByText("You can bid")).not.toBeInTheDocument();
});

it("tells a reader without a profile what is compared", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  server.notice = { cida: [{ grade: "C5" }] };
  const requirements = [{ kind: "bid-security" }, { kind: "grade", path: "cida.0" }];
  server.bidding = { answer: null, requirements, methods: [], costs: [] };
  open();
  const panel = within(await screen.findByRole("region", { name: "May I bid?" }));
  expect(
    panel.getByText(/It is compared with: CIDA registrations, the bid security that your bank gives\./),
  ).toBeInTheDocument();
  expect(panel.getAllByRole("link")).toHaveLength(1);
});

it("compares a bid security with the limit of the bank only", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  server.company = { bondLimit: 40_000_000 };
  server.notice = { financials: { bidBond: { required: true, amount: 240_000, currency: "LKR" } } };
  const requirement = { kind: "bid-security", path: "financials.bidBond", verdict: "met" };
  server.bidding = { answer: "not-stated", requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findByText("Within your bank's limit (LKR 40,000,000)")).toBeInTheDocument();
  expect(screen.queryByText(/You have it/)).not.toBeInTheDocument();
});

it.each(["cancelled", "withdrawn", "closed", "awarded"])(
  "neither compares the company with a %s tender nor offers its closing for a calendar",
  async (status) => {
    session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
    server.company = { bondLimit: 40_000_000 };
    server.notice = { status, financials: { bidBond: { required: true, amount: 240_000, currency: "LKR" } } };
    const requirement = { kind: "bid-security", path: "financials.bidBond", verdict: "met" };
    server.bidding = { answer: "can-bid", requirements: [requirement], methods: [], costs: [] };
    open();
    const panel = within(await screen.findByRole("region", { name: "May I bid?" }));
    expect(await panel.findByText("Bid security LKR 240,000")).toBeInTheDocument();
    expect(panel.queryByText(/Within your bank's limit/)).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Print" })).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Add to calendar" })).not.toBeInTheDocument();
  },
);

it("names the closed days near the last day of the sale and of each cost", async () => {
  server.notice = { documentFee: { amount: 5_000, currency: "LKR", saleUntil: "2026-12-25" } };
  const cost = { currency: "LKR", isEstimate: false, isRefunded: false };
  server.bidding = {
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
  server.notice = { status: "cancelled" };
  server.bidding = {
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

it("says how the envelope is posted and marked, and until when the security is valid", async () => {
  const security = { kind: "bid-security", amount: 90_000, currency: "LKR", due: "2026-11-26" };
  server.bidding = {
    requirements: [],
    methods: ["post"],
    isByRegisteredPost: true,
    marking: "“Tyres” and No. P/26/3 on the left hand corner",
    securityUntil: "2027-02-25",
    costs: [{ ...security, isEstimate: false, isRefunded: true }],
  };
  open();
  await screen.findByText("Before or with the bid, by Thu 26 Nov 2026");
  expect(answerTo("How to submit")).toHaveTextContent(/by registered post, must arrive by 2.30 p.m./);
  expect(answerTo("How to submit")).toHaveTextContent(
    /On the envelope: “Tyres” and No. P\/26\/3 on the left/,
  );
  expect(screen.getByText("returned · valid until Thu 25 Feb 2027")).toBeInTheDocument();
});

it("shows the sentences of who may bid once", async () => {
  const sentence = "Tenders are called from persons of experience.";
  server.notice = { eligibility: { criteria: [sentence] } };
  const requirement = { kind: "criterion", path: "eligibility.criteria.0" };
  server.bidding = { requirements: [requirement], methods: [], costs: [] };
  open();
  expect(await screen.findAllByText(sentence)).toHaveLength(1);
});

it("says that the time for bids is shorter than the guidelines require", async () => {
  server.notice = { shortNotice: { days: 18, requiredDays: 21, isMethodStated: true } };
  open();
  await screen.findAllByText("Closes");
  expect(answerTo("Closes")).toHaveTextContent(/18 days from the notice to the closing: .* name 21/);
});

it("tells an auction, which begins at its moment, from a sale by offers", async () => {
  server.notice = {
    kind: "sale",
    fullTextMarkdown: "## PUBLIC AUCTION",
    evidence: { "dates.closing": { text: "26 November 2026 commencing at 2.30 p.m." } },
  };
  server.bidding = null;
  open();
  await screen.findAllByText("Auction starts");
  expect(answerTo("Auction starts")).toHaveTextContent("Thu 26 Nov 2026");
  expect(answerTo("May I bid?")).toHaveTextContent("A public auction by the organisation");
});

it("offers no intention to who has submitted a bid", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  server.notice = { isExpired: false };
  server.bid = { _id: "b", stage: "submitted" };
  open();
  expect(await screen.findByRole("link", { name: "On your board: Submitted" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "I intend to bid" })).toBeNull();
});

it("says that bids are opened right after the closing", async () => {
  const moment = "2026-11-26T14:30:00+05:30";
  server.notice = { dates: { closing: moment, opening: moment } };
  open();
  expect(await screen.findByText(/^Right after the closing, Thu 26 Nov/)).toBeInTheDocument();
});

it("says that nothing is missing where only a sentence is left to judge", async () => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "r");
  const sentence = {
    kind: "criterion",
    path: "eligibility.criteria.0",
    verdict: "not-certain",
    reason: "words",
  };
  const grade = { kind: "grade", path: "cida.0", verdict: "not-certain", reason: "no-field" };
  server.notice = { cida: [{ grade: "C5" }], eligibility: { criteria: ["Bidders are sound."] } };
  server.bidding = { answer: "not-certain", requirements: [sentence], methods: [], costs: [] };
  const { unmount } = open();
  expect(await screen.findAllByText("Nothing missing; a condition is yours to judge")).toHaveLength(2);
  unmount();
  server.bidding = { answer: "not-certain", requirements: [grade, sentence], methods: [], costs: [] };
  open();
  expect(await screen.findByText(/^Not certain: CIDA C5, a condition/)).toBeInTheDocument();
});
