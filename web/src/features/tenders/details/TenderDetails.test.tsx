import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { TenderDetails } from "./TenderDetails.tsx";

const id = "01939999-0000-7000-8000-000000000001";

const tender = {
  _id: id,
  title: "Supply of tyres",
  status: "published",
  priority: "medium",
  visibility: "registered",
  organization: { name: "Ports Authority", type: "government" },
  location: { province: "Western", district: "Colombo" },
  dates: { closing: "2026-11-26T14:30:00+05:30" },
  documents: [{ _id: "d", name: "plan.pdf", type: "application/pdf", size: 1024 }],
  sources: [
    {
      publication: "Daily Lanka",
      date: "2026-11-20",
      page: 4,
      clipUrl: "/clip.png",
      box: [0.1, 0.1, 0.5, 0.5],
    },
  ],
  evidence: {
    "dates.closing": { text: "2.30 p.m.", box: [0.2, 0.2, 0.1, 0.05] },
    "organization.name": { text: "Ports Authority", box: [0.2, 0.3, 0.1, 0.05] },
  },
  confidence: {},
  statistics: { views: 1, downloads: 0, applications: 0 },
  isClosingToday: false,
  isExpired: false,
};

let shown: object;

beforeEach(() => {
  shown = tender;
  Element.prototype.scrollIntoView = vi.fn();
  vi.spyOn(globalThis, "fetch").mockImplementation(
    async () =>
      new Response(
        JSON.stringify({
          success: true,
          data: { tender: shown, intends: false, isSaved: false, fetchesDocuments: false },
        }),
        { headers: { "content-type": "application/json" } },
      ),
  );
});

const open = async () => {
  renderAt(<TenderDetails id={id} heading="h2" />);
  await screen.findByText("Ports Authority");
};
const showOnClip = (field: string) => screen.getByRole("button", { name: `Show on the clip: ${field}` });

it("keeps a pinned highlight until another field is pinned, or the field is unpinned", async () => {
  await open();
  const elsewhere = screen.getByText("Visibility");
  await userEvent.click(showOnClip("Closes"));
  await userEvent.hover(elsewhere);
  await userEvent.tab();
  const kept = () => screen.getAllByTestId("mark").filter((mark) => mark.dataset.pinned === "true");
  expect(kept()).toHaveLength(1);
  const place = kept()[0]?.style.top;
  expect(showOnClip("Closes")).toHaveAttribute("aria-pressed", "true");

  await userEvent.click(showOnClip("Organisation"));
  expect(kept()).toHaveLength(1);
  expect(kept()[0]?.style.top).not.toBe(place);
  expect(showOnClip("Closes")).toHaveAttribute("aria-pressed", "false");

  await userEvent.click(showOnClip("Organisation"));
  expect(screen.queryAllByTestId("mark")).toEqual([]);
});

it("highlights a hovered field beside the pinned one while it is hovered", async () => {
  await open();
  await userEvent.click(showOnClip("Closes"));
  await userEvent.hover(screen.getByText("Ports Authority"));
  expect(screen.getAllByTestId("mark").map(({ dataset }) => dataset.pinned)).toEqual(["true", "false"]);
  await userEvent.unhover(screen.getByText("Ports Authority"));
  expect(screen.getAllByTestId("mark")).toHaveLength(1);
});

it("enlarges the clip in place, and makes it fit again", async () => {
  await open();
  const clip = screen.getByRole("group", { name: "The printed notice" });
  expect(within(clip).queryByRole("link")).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Make the clip smaller" })).toBeDisabled();
  await userEvent.click(within(clip).getByRole("img"));
  expect(screen.getByRole("button", { name: "Make the clip smaller" })).toBeEnabled();
  // An enlarged clip can be scrolled by keyboard.
  expect(clip).toHaveAttribute("tabindex", "0");
  const larger = screen.getByRole("button", { name: "Make the clip larger" });
  while (!larger.hasAttribute("disabled")) await userEvent.click(larger);
  await userEvent.click(within(clip).getByRole("img"));
  expect(screen.getByRole("button", { name: "Make the clip smaller" })).toBeDisabled();
});

it("lets a guest sign in to bid, and leads back to the tender", async () => {
  await open();
  expect(await screen.findByRole("link", { name: "Sign in to say that you intend to bid" })).toHaveAttribute(
    "href",
    `/login?redirect=${encodeURIComponent(`/tenders/${id}`)}`,
  );
});

it("shows visibility, priority and the types of documents", async () => {
  await open();
  expect(screen.getByText("Visibility").nextSibling).toHaveTextContent("Registered Users Only");
  expect(screen.getByText("Priority").nextSibling).toHaveTextContent("Medium");
  expect(await screen.findByText(/PDF/)).toBeInTheDocument();
});

it("shows the newspaper page if there is no clip", async () => {
  shown = { ...tender, sources: [], sourcePage: "12" };
  await open();
  expect(screen.getByText("Page of the newspaper").nextSibling).toHaveTextContent("12");
});

it("marks uncertain fields and shows the printed words from the clip", async () => {
  shown = {
    ...tender,
    fieldStates: { "dates.closing": "doubtful", title: "not-read" },
    otherReadings: {
      "dates.closing": [
        { value: "2026-11-25T14:30:00+05:30", reader: "rules", confidence: 0.6 },
        { value: "2026-11-25T14:30:00+05:30", reader: "classifier", confidence: 0.5 },
        { value: tender.dates.closing, reader: "model", confidence: 0.4 },
      ],
    },
  };
  await open();
  expect(screen.getByText("Not certain: closing, title.")).toBeInTheDocument();
  expect(screen.getByText(/The title was not read/)).toBeInTheDocument();
  const closing = screen.getByText("Closes").closest("div") as HTMLElement;
  expect(within(closing).getByText("Not certain: check the notice")).toBeInTheDocument();
  expect(within(closing).getByText(/^Also read: [^;]*25 Nov[^;]*$/)).toBeInTheDocument();
  const words = within(closing).getByRole("img", { name: "As printed: “2.30 p.m.”" });
  expect(words).toHaveAttribute("src", "/clip.png");
});

it.each([
  ["Place", "location.city"],
  ["Documents sold", "documentFee.place"],
  ["Bid security", "financials.bidBond.percentage"],
])("marks the field %s if only %s is uncertain", async (label, path) => {
  shown = {
    ...tender,
    location: { ...tender.location, city: "Fort" },
    documentFee: { saleUntil: "2026-11-25", place: "Procurement Division" },
    financials: { bidBond: { required: true, percentage: 2 } },
    bidding: {
      answer: null,
      requirements: [{ kind: "bid-security", path: "financials.bidBond" }],
      costs: [],
    },
    fieldStates: { [path]: "doubtful" },
    evidence: { ...tender.evidence, [path]: { text: "Words of it", box: null } },
  };
  await open();
  const marks = screen.getAllByText("Not certain: check the notice");
  expect(marks).toHaveLength(1);
  const field = marks[0]?.closest("dd")?.parentElement;
  expect(field).toHaveTextContent(label);
  expect(field).toHaveTextContent("As printed: “Words of it”");
});

it("shows the lots as a table, and folds their printed words", async () => {
  const lot = (number: string, title: string, amount: number) => {
    return { number, title, bidBond: { required: true, amount, currency: "LKR" } };
  };
  const text = "1 Ella branch 9 Rs. 75,000.00 2 Stores complex 8 Rs. 10,000.00";
  shown = {
    ...tender,
    lots: [lot("1", "Ella branch", 75_000), { number: "2", title: "Stores complex" }],
    evidence: { ...tender.evidence, lots: { text, box: null } },
    bidding: { answer: null, requirements: [{ kind: "bid-security", path: "lots" }], costs: [] },
  };
  await open();
  const rows = within(screen.getByRole("table", { name: "Lots" })).getAllByRole("row");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "No.ItemBid security",
    "1Ella branchLKR 75,000",
    "2Stores complex–",
  ]);
  expect(screen.queryByText(/^As printed/)).not.toBeInTheDocument();
  for (const words of screen.getAllByText(text)) expect(words).not.toBeVisible();
});

it("tells guests, to whom the server sends no contact, where to see it", async () => {
  await open();
  const link = screen.getByRole("link", { name: "Sign in to see it, if one is named" });
  expect(link).toHaveAttribute("href", `/login?redirect=${encodeURIComponent(`/tenders/${id}`)}`);
  expect(link.closest("dd")?.previousSibling).toHaveTextContent("Contact");
});

it("sends no guest to the sign-in for a contact that the text of the notice below has", async () => {
  shown = { ...tender, fullTextMarkdown: "Telephone 011 2345678." };
  await open();
  expect(screen.getByText("Contact").nextSibling).toHaveTextContent(
    "In the text of the notice below, if it names one",
  );
  expect(screen.queryByText(/^Sign in to see it/)).toBeNull();
});

it("repeats no printed words that are the doubtful title itself", async () => {
  const printing = (text: string) => ({
    ...tender,
    fieldStates: { title: "doubtful" },
    evidence: { ...tender.evidence, title: { text, box: null } },
  });
  shown = printing("SUPPLY OF  TYRES.");
  const { unmount } = renderAt(<TenderDetails id={id} heading="h2" />);
  expect(await screen.findByText("The title may be wrong: read the notice.")).toBeInTheDocument();
  expect(screen.queryByText(/SUPPLY OF/)).not.toBeInTheDocument();
  unmount();

  shown = printing("Supply of wheels and tyres");
  await open();
  expect(screen.getByText("The title may be wrong. The notice prints:")).toBeInTheDocument();
  expect(screen.getByText("As printed: “Supply of wheels and tyres”")).toBeInTheDocument();
});

it("says so if the closing has no hour", async () => {
  shown = { ...tender, dates: { closing: "2026-11-26T23:59:59+05:30" } };
  await open();
  expect(screen.getByText("Closes").nextSibling).toHaveTextContent("Thu 26 Nov 2026, hour not stated");
});

it("refers to the notice if the closing time was not read", async () => {
  shown = { ...tender, dates: {}, fieldStates: { "dates.closing": "not-read" } };
  await open();
  const closing = screen.getByText("Closes").closest("div") as HTMLElement;
  expect(within(closing).getByText("see the notice")).toBeInTheDocument();
});
