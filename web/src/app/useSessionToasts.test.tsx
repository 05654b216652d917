import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Toasts } from "@/ui/Toasts.tsx";
import { toast } from "@/ui/toasts.ts";
import { useSessionToasts } from "./useSessionToasts.ts";

function Frame({ page }: { page: "public" | "protected" }) {
  useSessionToasts();
  const { status } = useAccount();
  return (
    <>
      <p>{status}</p>
      {page === "protected" && <Protected>{() => <p>Private</p>}</Protected>}
      <Toasts label="Notifications" close="Close" />
    </>
  );
}

beforeEach(() => {
  for (let key = 0; key < 100; key += 1) toast.dismiss(key);
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(globalThis, "fetch").mockImplementation(
    async () =>
      new Response(JSON.stringify({ success: false, message: "Not signed in" }), {
        status: 401,
        headers: { "content-type": "application/json" },
      }),
  );
  session.write(tokenUntil(Math.floor(Date.now() / 1000) - 60), "refused");
});

it("shows nothing about an ended session on a public page", async () => {
  renderAt(<Frame page="public" />);
  await waitFor(() => expect(screen.getByText("guest")).toBeInTheDocument());
  expect(session.hasLapsed).toBe(true);
  expect(screen.queryAllByRole("listitem")).toEqual([]);
});

it("shows once, on a protected page, that the session has ended, and redirects to sign-in", async () => {
  const { router } = renderAt(<Frame page="protected" />, { at: "/account" });
  const told = await screen.findAllByRole("listitem");
  expect(told).toHaveLength(1);
  expect(told[0]).toHaveTextContent("Session Expired");
  expect(router.state.location).toMatchObject({ pathname: "/login", state: { from: "/account" } });
});
