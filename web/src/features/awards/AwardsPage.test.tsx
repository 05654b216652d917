import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { Component as AwardsPage } from "./AwardsPage.tsx";

/** The query strings of the requests. */
let queries: string[];

const award = {
  _id: "01939999-0000-7000-8000-000000000001",
  title: "Supply of insulin",
  lot: "Vials of 10 ml",
  winners: ["First Pharma Ltd", "Second Pharma Ltd"],
  amounts: [
    { amount: 1_500_000, currency: "USD" },
    { amount: 2_000_000, currency: "LKR" },
  ],
  taxes: null,
  body: "Ministry of Health",
  bodySlug: "ministry-of-health",
  decidedOn: "2018-03-20",
  decisionNumber: 5,
  sourceUrl: "https://cabinet.example/5",
  references: [],
  tender: "01939999-0000-7000-8000-0000000000aa",
};

/** The slugs of the bodies that were asked for. */
let bodies: string[];

function answerBody(slug: string): Response {
  bodies.push(slug);
  const isKnown = slug === "ministry-of-health";
  const body = isKnown
    ? { success: true, data: { slug, name: "Ministry of Health" } }
    : { success: false, message: "Buyer not found" };
  return new Response(JSON.stringify(body), {
    status: isKnown ? 200 : 404,
    headers: { "content-type": "application/json" },
  });
}

function answer(url: URL): Response {
  const [, slug] = url.pathname.split("/buyers/");
  if (slug) return answerBody(slug);
  queries.push(url.search);
  const isEmpty = url.searchParams.get("search") === "nothing";
  const pagination = {
    current: 1,
    total: isEmpty ? 0 : 3,
    totalCount: isEmpty ? 0 : 45,
    hasPrev: false,
    hasNext: !isEmpty,
  };
  const data = {
    awards: isEmpty ? [] : [award, { ...award, _id: "2", winners: [], amounts: [], body: null }],
    pagination,
  };
  return new Response(JSON.stringify({ success: true, data }), {
    headers: { "content-type": "application/json" },
  });
}

beforeEach(() => {
  queries = [];
  bodies = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    answer(new URL((request as Request).url)),
  );
});

it("lists awards with what is known of them", async () => {
  renderAt(<AwardsPage />, { at: "/awards" });
  const [first, second] = await screen.findAllByRole("article", { name: "Supply of insulin" });
  expect(
    screen.getByText(
      "45 awards · The newest decision read is of Tue 20 Mar 2018; later ones are not read yet.",
    ),
  ).toBeInTheDocument();
  expect(first).toHaveTextContent("First Pharma Ltd, Second Pharma Ltd");
  expect(first).toHaveTextContent("USD 1,500,000 + LKR 2,000,000");
  expect(first).toHaveTextContent("Lot: Vials of 10 ml");
  // The day is said once for the awards of one day.
  const day = screen.getByRole("region", { name: "Tue 20 Mar 2018" });
  expect(within(day).getByRole("heading", { level: 2 })).toHaveTextContent("Decided Tue 20 Mar 2018");
  expect(within(day).getAllByRole("article")).toEqual([first, second]);
  const source = within(first as HTMLElement).getByRole("link", { name: /Cabinet decision 5/ });
  expect(source).toHaveAttribute("href", "https://cabinet.example/5");
  expect(
    within(first as HTMLElement).getByRole("link", { name: "The tender on this portal" }),
  ).toHaveAttribute("href", `/tenders/${award.tender}`);
  expect(second).toHaveTextContent("Winner not named");
  expect(second).toHaveTextContent("Amount not stated");
  expect(queries).toEqual(["?page=1&limit=20"]);
});

it("opens a title or a lot that is cut off, and has no button for others", async () => {
  const height = vi.spyOn(HTMLElement.prototype, "scrollHeight", "get");
  height.mockImplementation(function (this: HTMLElement) {
    return this.textContent === "Lot: Vials of 10 ml" ? 40 : 0;
  });
  renderAt(<AwardsPage />, { at: "/awards" });
  const [first] = await screen.findAllByRole("article", { name: "Supply of insulin" });
  const row = within(first as HTMLElement);
  const button = await row.findByRole("button", { name: "Show the whole text" });
  const lot = row.getByText("Lot: Vials of 10 ml");
  expect(lot).toHaveClass("line-clamp-1");
  await userEvent.click(button);
  expect(lot).not.toHaveClass("line-clamp-1");
  expect(row.getByRole("button", { name: "Show less" })).toHaveAttribute("aria-expanded", "true");
});

it("leads from a winner to its awards, and from a body to its page", async () => {
  renderAt(<AwardsPage />, { at: "/awards" });
  const [first] = await screen.findAllByRole("article");
  const link = (name: string) => within(first as HTMLElement).getByRole("link", { name });
  expect(link("Second Pharma Ltd")).toHaveAttribute("href", "/awards?winner=Second+Pharma+Ltd");
  expect(link("Ministry of Health")).toHaveAttribute("href", "/buyers/ministry-of-health");
});

it.each([
  ["Ministry of Health", "Ministry of Health: its tenders and usual terms"],
  ["Ministry of Roads", null],
])("leads from the awards of %s to its page if it has one", async (body, expected) => {
  renderAt(<AwardsPage />, { at: `/awards?${new URLSearchParams({ body })}` });
  await screen.findAllByRole("article");
  await vi.waitFor(() => expect(bodies).toHaveLength(1));
  const link = expected && (await screen.findByRole("link", { name: expected }));
  if (link) expect(link).toHaveAttribute("href", "/buyers/ministry-of-health");
  expect(screen.queryAllByRole("link", { name: /its tenders and usual terms/ })).toHaveLength(link ? 1 : 0);
});

it("shows the awards of exactly one body, and searches within them", async () => {
  const { router } = renderAt(<AwardsPage />, { at: "/awards?buyer=ministry-of-health" });
  await screen.findAllByRole("article");
  expect(queries).toEqual(["?page=1&limit=20&buyer=ministry-of-health"]);
  const chip = await screen.findByRole("link", {
    name: "Remove the filter: Ministry or body: Ministry of Health",
  });
  expect(chip).toHaveAttribute("href", "/awards");
  await userEvent.type(screen.getByRole("searchbox"), "insulin{Enter}");
  expect(router.state.location.search).toBe("?search=insulin&buyer=ministry-of-health");
});

it("searches with Enter, and keeps the filters in the address", async () => {
  const { router } = renderAt(<AwardsPage />, { at: "/awards?page=2" });
  await screen.findAllByRole("article");
  await userEvent.click(screen.getByRole("button", { name: "More filters" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Winner" }), "pharma");
  await userEvent.type(screen.getByRole("textbox", { name: "Amount from" }), "1,000,000");
  await userEvent.type(screen.getByRole("searchbox"), "insulin{Enter}");
  expect(router.state.location.search).toBe("?search=insulin&winner=pharma&minAmount=1%2C000%2C000");
  await vi.waitFor(() => expect(queries.at(-1)).toContain("search=insulin"));
  expect(queries.at(-1)).toContain("minAmount=1000000");
  const pages = within(screen.getByRole("navigation", { name: "Pages" }));
  expect(pages.getByRole("link", { name: "Next" })).toHaveAttribute(
    "href",
    expect.stringContaining("winner=pharma&"),
  );
});

it("keeps the filters that are out of sight when it searches again", async () => {
  const { router } = renderAt(<AwardsPage />, { at: "/awards?year=2018&winner=pharma" });
  await screen.findAllByRole("article");
  await userEvent.type(screen.getByRole("searchbox"), "insulin{Enter}");
  expect(router.state.location.search).toBe("?search=insulin&winner=pharma&year=2018");
});

it("removes one filter and keeps the others", async () => {
  const { router } = renderAt(<AwardsPage />, { at: "/awards?search=nothing&winner=pharma&page=2" });
  await screen.findByRole("heading", { name: "No awards found" });
  expect(screen.getByText(/Remove one of them/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("link", { name: "Remove the filter: “nothing”" }));
  expect(router.state.location.search).toBe("?winner=pharma");
  expect(await screen.findAllByRole("article")).toHaveLength(2);
});

it("offers to show all awards if a search has no results", async () => {
  const { router } = renderAt(<AwardsPage />, { at: "/awards?search=nothing" });
  expect(await screen.findByRole("heading", { name: "No awards found" })).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Show all awards" }));
  expect(router.state.location.search).toBe("");
});
