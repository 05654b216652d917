import { screen, within } from "@testing-library/react";
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

it("lists the bodies of which only awards are known apart", async () => {
  const buyers = [
    { slug: "ports-authority", name: "Ports Authority", open: 0, past: 1, awards: 0 },
    { slug: "ministry-of-health", name: "Ministry of Health", open: 0, past: 0, awards: 3 },
  ];
  const pagination = { current: 1, total: 1, totalCount: 2, hasPrev: false, hasNext: false };
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ success: true, data: { buyers, pagination } }),
  );
  renderAt(<BuyersPage />, { at: "/buyers" });
  const inviting = within(await screen.findByRole("table", { name: "Bodies that invite bids" }));
  expect(inviting.getByText("Ports Authority")).toBeInTheDocument();
  expect(inviting.queryByText("Ministry of Health")).toBeNull();
  const others = within(screen.getByRole("table", { name: "Known from awards only" }));
  expect(others.getByRole("row", { name: "Ministry of Health 3 awards 3" })).toBeInTheDocument();
  expect(screen.getByText("2 bodies · those known from awards only come last")).toBeInTheDocument();
});

it("lists bodies with equal numbers by their shown names, and says the numbers in words for phones", async () => {
  const body = (name: string, open: number, past = 0) => ({ slug: name, name, open, past, awards: 0 });
  const buyers = [
    body("People's Bank", 2),
    body("Base Hospital", 1, 1),
    body("යාපනය මහ නගර සභාව", 1),
    body("Zonal Office", 1),
    body("CENTRAL HOSPITAL OF THE NORTH", 1),
    body("Ceylon Electricity Board", 1),
  ];
  const pagination = { current: 1, total: 1, totalCount: 6, hasPrev: false, hasNext: false };
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ success: true, data: { buyers, pagination } }),
  );
  renderAt(<BuyersPage />, { at: "/buyers" });
  const table = within(await screen.findByRole("table", { name: "Bodies that invite bids" }));
  const rows = table.getAllByRole("row").slice(1);
  expect(rows.map((row) => row.querySelector("th a")?.textContent)).toEqual([
    "People's Bank",
    "Base Hospital",
    "Central Hospital of the North",
    "Ceylon Electricity Board",
    "Zonal Office",
    "යාපනය මහ නගර සභාව",
  ]);
  expect(table.getByText("1 open tender · 1 past tender")).toBeInTheDocument();
});
