import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { SearchBox } from "./SearchBox.tsx";

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL((input as Request).url);
    const data =
      pathname === "/api/tenders/stats"
        ? {
            totalTenders: 50,
            sectorStats: [
              { _id: "construction", name: "construction", count: 42 },
              { _id: "it", name: "it", count: 0 },
            ],
          }
        : { suggestions: [{ kind: "tender", text: "A bridge", _id: "s" }] };
    return new Response(JSON.stringify({ success: true, data }), {
      headers: { "content-type": "application/json" },
    });
  });
});

const field = () => screen.getByRole("combobox", { name: "Search in tenders" });

it("opens the listing with the typed words", async () => {
  const { router } = renderAt(<SearchBox />);
  await userEvent.type(field(), " road works {Enter}");
  expect(router.state.location.pathname).toBe("/tenders");
  expect(router.state.location.search).toBe("?search=road+works");
});

it("opens a suggested tender", async () => {
  const { router } = renderAt(<SearchBox />);
  await userEvent.type(field(), "bri");
  await userEvent.click(await screen.findByText("A bridge"));
  await waitFor(() => expect(router.state.location.pathname).toBe("/tenders/s"));
});

it("links to the sectors that have tenders", async () => {
  renderAt(<SearchBox />);
  const sectors = within(await screen.findByRole("list", { name: "Search by sector" }));
  const link = sectors.getByRole("link");
  expect(link).toHaveTextContent("Construction 42");
  expect(link).toHaveAttribute("href", "/tenders?category=construction");
  // The chips add up to all tenders.
  expect(sectors.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Construction 42",
    "Other 8",
  ]);
});
