import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { SavedPage } from "./SavedPage.tsx";

const user = { role: "supplier", subscription: { plan: "professional", features: {} } };

/** Twelve tenders, of which the one saved last closes first, and one more that has closed. */
const saved = [
  { _id: "past", title: "Past", status: "published", dates: { closing: "2026-11-01T14:00:00+05:30" } },
  ...Array.from({ length: 12 }, (_, index) => ({
    _id: `t${index}`,
    title: `Tender ${index}`,
    status: "published",
    dates: { closing: `2026-12-${String(28 - index)}T14:00:00+05:30` },
  })),
];

/** The pages that were asked for. */
let pages: (string | null)[];

beforeEach(() => {
  pages = [];
  session.open(tokenUntil(4_000_000_000), "r", true);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname, searchParams } = new URL((input as Request).url);
    const page = searchParams.get("page");
    if (pathname === "/api/saved/tenders") pages.push(page);
    const tenders = page === "1" ? saved.slice(0, 7) : saved.slice(7);
    const answers: Record<string, object> = {
      "/api/auth/me": { user },
      "/api/saved/searches": { searches: [], quota: null },
      "/api/saved/tenders": { tenders, pagination: { hasNext: page === "1" } },
    };
    return Response.json({ success: true, data: answers[pathname] });
  });
});

afterEach(() => session.clear());

const titles = () => screen.getAllByRole("article").map(({ textContent }) => textContent);

it("lists all saved tenders, the next closing first, and in the order that the reader chooses", async () => {
  const render = ({ title }: { title: string }) => <article>{title}</article>;
  const { router } = renderAt(<SavedPage renderTender={render} />, { at: "/saved" });
  const order = await screen.findByRole("combobox", { name: "Order" });
  expect(titles()).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `Tender ${index}`));
  expect(pages).toEqual(["1", "2"]);
  await userEvent.click(screen.getByRole("link", { name: /2$/ }));
  expect(titles()).toEqual(["Tender 1", "Tender 0", "Past"]);
  await userEvent.selectOptions(order, "Last saved first");
  expect(router.state.location.search).toBe("?order=saved");
  expect(titles().slice(0, 2)).toEqual(["Past", "Tender 0"]);
});
