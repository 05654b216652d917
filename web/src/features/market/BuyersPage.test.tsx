import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderAt } from "@/testing/render.tsx";
import { Component as BuyersPage } from "./BuyersPage.tsx";

it("leads to each body by its slug, whatever the script of its name", async () => {
  const buyers = [
    { slug: "body-1e04ccdf2d", name: "මහනුවර මහ නගර සභාව", open: 1, past: 0, awards: 0 },
    { slug: "body-90ab12cd3e", name: "யாழ்ப்பாணம் மாநகர சபை", open: 2, past: 0, awards: 0 },
  ];
  const pagination = { current: 1, total: 1, totalCount: 2, hasPrev: false, hasNext: false };
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ success: true, data: { buyers, pagination } }),
  );
  renderAt(<BuyersPage />, { at: "/buyers" });
  const first = await screen.findByText("මහනුවර මහ නගර සභාව");
  expect(first.closest("a")).toHaveAttribute("href", "/buyers/body-1e04ccdf2d");
  const second = screen.getByText("யாழ்ப்பாணம் மாநகர சபை");
  expect(second.closest("a")).toHaveAttribute("href", "/buyers/body-90ab12cd3e");
  expect(screen.getByRole("link", { name: "2" })).toHaveAttribute("href", "/buyers/body-90ab12cd3e#open");
});
