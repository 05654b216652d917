import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { SavedPage } from "./SavedPage.tsx";

const user = { role: "supplier", subscription: { plan: "professional", features: {} } };

/** The queries for saved tenders. */
let queries: string[];

beforeEach(() => {
  queries = [];
  session.open(tokenUntil(4_000_000_000), "r", true);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname, search, searchParams } = new URL((input as Request).url);
    if (pathname === "/api/saved/tenders") queries.push(search);
    const current = Number(searchParams.get("page"));
    const answers: Record<string, object> = {
      "/api/auth/me": { user },
      "/api/saved/searches": { searches: [], quota: null },
      "/api/saved/tenders": {
        tenders: [{ _id: `t${current}`, title: `${searchParams.get("sort")} ${current}` }],
        bidAnswers: [{ answer: "missing" }],
        pagination: { current, total: 2, totalCount: 11, hasPrev: current > 1, hasNext: current < 2 },
      },
    };
    return Response.json({ success: true, data: answers[pathname] });
  });
});

afterEach(() => session.clear());

it("lists saved tenders in the chosen order and says who may bid", async () => {
  const { router } = renderAt(
    <SavedPage
      renderTender={({ title }, bidAnswer) => (
        <article>
          {title} {bidAnswer?.answer}
        </article>
      )}
    />,
    { at: "/saved" },
  );
  await screen.findByText("closing 1 missing");
  await userEvent.click(screen.getByRole("link", { name: /2$/ }));
  await screen.findByText("closing 2 missing");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Order" }), "Last saved first");
  await screen.findByText("saved 1 missing");
  expect(router.state.location.search).toBe("?order=saved");
  expect(queries).toEqual(["?sort=closing&page=1", "?sort=closing&page=2", "?sort=saved&page=1"]);
});
