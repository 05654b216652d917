import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { settings } from "@/api/settings.ts";
import type { User } from "@/api/types.ts";
import { renderAt } from "@/testing/render.tsx";
import type { GoogleResponse } from "../google/googleIdentity.ts";
import { ConnectGoogle } from "./ConnectGoogle.tsx";

const USER = { hasPassword: true, emailVerified: true } as User;

/** The page's callback for responses from Google. */
let respond: (answer: GoogleResponse) => void;
/** The requests that change the connection: method, path and body. */
let sent: unknown[];

beforeEach(() => {
  sent = [];
  settings.googleClientId = "portal.apps.test";
  const initialize = vi.fn(({ callback }: { callback: typeof respond }) => {
    respond = callback;
  });
  window.google = { accounts: { id: { initialize, renderButton: vi.fn() } } };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    const json = (status: number, body: object) =>
      new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
    if (request.url.endsWith("/nonce")) return json(200, { success: true, data: { nonce: "n" } });
    const body = (await request.json()) as { password: string };
    sent.push([request.method, new URL(request.url).pathname, body]);
    return body.password === "secret-of-theirs"
      ? json(200, { success: true, data: { user: USER } })
      : json(422, { success: false, message: "Wrong password" });
  });
});

afterEach(() => {
  settings.googleClientId = null;
  delete window.google;
});

it("connects Google with the password", async () => {
  renderAt(<ConnectGoogle user={USER} />);
  await userEvent.click(screen.getByRole("button", { name: "Connect Google" }));
  await waitFor(() => expect(respond).toBeDefined());
  act(() => respond({ credential: "good" }));
  expect(await screen.findByText("Enter your password")).toBeInTheDocument();
  expect(sent).toEqual([]);
  const password = screen.getByLabelText("Your password");
  await userEvent.type(password, "not it");
  act(() => respond({ credential: "good" }));
  expect(await screen.findByText("Wrong password")).toBeInTheDocument();
  await userEvent.clear(password);
  await userEvent.type(password, "secret-of-theirs");
  act(() => respond({ credential: "good" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(sent.at(-1)).toEqual([
    "PUT",
    "/api/auth/google",
    { credential: "good", password: "secret-of-theirs" },
  ]);
});

it("disconnects Google with the password", async () => {
  renderAt(<ConnectGoogle user={{ ...USER, hasGoogle: true }} />);
  await userEvent.click(screen.getByRole("button", { name: "Disconnect" }));
  await userEvent.type(screen.getByLabelText("Your password"), "secret-of-theirs");
  expect(sent).toEqual([]);
  await userEvent.click(screen.getAllByRole("button", { name: "Disconnect" }).at(-1) as HTMLElement);
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(sent).toEqual([["POST", "/api/auth/google/removal", { password: "secret-of-theirs" }]]);
});
