import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { session } from "@/api/client.ts";
import { noFilters } from "@/shared/tender/filters.ts";
import { renderAt } from "@/testing/render.tsx";
import { SearchTools } from "./SearchTools.tsx";

const filters = { ...noFilters, search: "road" };

beforeEach(() => session.clear());

it("offers a guest an alert, which opens after signing up", () => {
  renderAt(<SearchTools filters={filters} description="road" />);
  expect(
    screen.getByRole("link", { name: "E-mail me new tenders like these with Professional" }),
  ).toHaveAttribute("href", `/register?redirect=${encodeURIComponent("/alert-settings?search=road&new=1")}`);
});

it("explains the feed and gives its address", async () => {
  renderAt(<SearchTools filters={filters} description="road" />);
  await userEvent.click(screen.getByRole("button", { name: "RSS feed" }));
  const dialog = await screen.findByRole("dialog", { name: "RSS feed of this search" });
  expect(dialog).toHaveTextContent("Give this address to a feed reader");
  expect(screen.getByRole("link", { name: "Open the feed" })).toHaveAttribute(
    "href",
    expect.stringMatching(/\/feeds\/tenders\?search=road$/),
  );
});
