import { screen } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { loadOperateTexts } from "@/i18n/i18n.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as OperateHomePage } from "./OperateHomePage.tsx";

const user = { _id: "1", firstName: "Kumari", lastName: "Silva", email: "k@example.lk", role: "reviewer" };

/** How many newspapers are missing today, and how many notices wait. */
let waiting: { gaps: number; review: number };

beforeAll(loadOperateTexts);

beforeEach(() => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL((input as Request).url);
    const tasks = Object.entries(waiting).map(([task, waiting]) => ({ task, waiting, oldestSince: null }));
    const data = pathname === "/api/auth/me" ? { user } : { tasks };
    return new Response(JSON.stringify({ success: true, data }), {
      headers: { "content-type": "application/json" },
    });
  });
});

const earlierGaps = { name: "Earlier gaps stand in Coverage." };

it.each([0, 3])(
  "leads to earlier gaps if no newspaper is missing today and %i notices wait",
  async (review) => {
    waiting = { gaps: 0, review };
    renderAt(<OperateHomePage />, { at: "/operate" });
    expect(await screen.findByRole("link", earlierGaps)).toHaveAttribute("href", "/operate/coverage");
  },
);

it("names the newspapers that are missing today", async () => {
  waiting = { gaps: 2, review: 0 };
  renderAt(<OperateHomePage />, { at: "/operate" });
  expect(await screen.findByRole("link", { name: "Newspapers missing today" })).toBeInTheDocument();
  expect(screen.queryByRole("link", earlierGaps)).toBeNull();
});
