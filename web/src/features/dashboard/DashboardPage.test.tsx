import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as DashboardPage } from "./DashboardPage.tsx";

const user = { _id: "1", firstName: "Kumari", lastName: "Silva", email: "k@example.lk", role: "supplier" };

const draft = {
  _id: "d",
  title: "Supply of chairs",
  status: "draft",
  referenceNo: "FW/1",
  organization: { name: "Silva Supplies" },
  dates: { published: "2026-11-21T09:00:00+05:30" },
  isExpired: false,
};

beforeEach(() => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL((input as Request).url);
    const reply = (data: unknown) =>
      new Response(JSON.stringify({ success: true, data }), {
        headers: { "content-type": "application/json" },
      });
    if (pathname === "/api/auth/me") return reply({ user });
    const pagination = { current: 1, total: 1, totalCount: 1, hasPrev: false, hasNext: false };
    const counts = { all: 1, live: 0, draft: 1, closed: 0 };
    return reply({ tenders: [draft], items: [draft], pagination, counts });
  });
});

it("lists a draft by what is known of it, and no more", async () => {
  renderAt(<DashboardPage />, { at: "/supplier/dashboard" });
  expect(await screen.findByText("FW/1 · Silva Supplies")).toBeInTheDocument();
});
