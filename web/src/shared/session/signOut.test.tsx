import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { session } from "@/api/client.ts";
import { renderAt } from "@/testing/render.tsx";
import { Toasts } from "@/ui/Toasts.tsx";
import { useSignOut } from "./signOut.ts";

function SignOut() {
  const signOut = useSignOut();
  return (
    <>
      <button type="button" onClick={() => signOut.mutate()}>
        Sign out
      </button>
      <Toasts label="Notifications" close="Close" />
    </>
  );
}

it.each([
  ["the session ended", 200, "Successfully logged out!"],
  ["the portal could not end the session", 503, "signed out in this browser"],
])("forgets the session, and says that %s", async (_what, status, told) => {
  const body = JSON.stringify({ success: status === 200, message: "", data: null });
  vi.spyOn(globalThis, "fetch").mockImplementation(
    async () => new Response(body, { status, headers: { "content-type": "application/json" } }),
  );
  session.write(`e30.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.x`);
  expect(session.read()).not.toBeNull();
  renderAt(<SignOut />);
  await userEvent.click(screen.getByRole("button", { name: "Sign out" }));
  expect(await screen.findByText(told, { exact: false })).toBeVisible();
  expect(session.read()).toBeNull();
});
