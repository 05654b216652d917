import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Sessions } from "./Sessions.tsx";

beforeEach(() => {
  session.write(tokenUntil(Date.now() / 1000 + 3600), "refresh");
  const sessions = Array.from({ length: 8 }, (_, nth) => ({
    _id: `s${nth}`,
    userAgent: null,
    createdAt: "2026-11-01T08:00:00+05:30",
    usedAt: `2026-11-1${nth}T08:00:00+05:30`,
    isCurrent: nth === 0,
  }));
  vi.spyOn(globalThis, "fetch").mockImplementation(
    async () =>
      new Response(JSON.stringify({ success: true, data: { sessions } }), {
        headers: { "content-type": "application/json" },
      }),
  );
});

it("shows this browser and those used last, and the others on demand", async () => {
  renderAt(<Sessions />, { at: "/account/security" });
  const [first, second] = await screen.findAllByRole("listitem");
  expect(screen.getAllByRole("listitem")).toHaveLength(5);
  expect(first).toHaveTextContent("This browser");
  expect(second).toHaveTextContent("Tue 17 Nov 2026");
  await userEvent.click(screen.getByRole("button", { name: "Show all 8 sign-ins" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(8);
  expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
});
