import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { settings } from "@/api/settings.ts";
import { renderAt, tokenUntil } from "@/testing/render.tsx";
import { Component as LoginPage } from "../signIn/LoginPage.tsx";
import { Component as RegisterPage } from "../signIn/RegisterPage.tsx";
import type { GoogleResponse } from "./googleIdentity.ts";

/** The page's callback for responses from Google. Set when the page initialises Google's API. */
let respond: (answer: GoogleResponse) => void;
/** The bodies of the sign-in requests to the portal. */
let sent: unknown[];

const user = { firstName: "Malini", lastName: "Dias", role: "buyer" };

beforeEach(() => {
  sent = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    if (!request.url.endsWith("/auth/google")) return new Response("{}", { status: 404 });
    const body = (await request.json()) as { credential: string };
    sent.push(body);
    const isGood = body.credential === "good";
    const session = { token: tokenUntil(4_000_000_000), refreshToken: "r", user };
    return new Response(
      JSON.stringify(isGood ? { success: true, data: session } : { success: false, message: "Not verified" }),
      { status: isGood ? 200 : 401, headers: { "content-type": "application/json" } },
    );
  });
});

afterEach(() => {
  settings.googleClientId = null;
  delete window.google;
});

/** Enables Google sign-in, with a stand-in for Google's script. */
function enableGoogle() {
  settings.googleClientId = "portal.apps.test";
  const renderButton = vi.fn();
  const initialize = vi.fn(({ callback }: { callback: (answer: GoogleResponse) => void }) => {
    respond = callback;
  });
  // The module initialises Google once, so later tests reuse the callback of the first test.
  window.google = { accounts: { id: { initialize, renderButton } } };
  return { renderButton };
}

it("shows no Google sign-in without a client id, and loads nothing from Google", () => {
  renderAt(<LoginPage />);
  expect(screen.queryByText("or")).not.toBeInTheDocument();
  expect(document.querySelector("script[src*='google']")).toBeNull();
});

it("signs in with Google's credential and the chosen account type", async () => {
  enableGoogle();
  renderAt(<RegisterPage />);
  await userEvent.click(screen.getByRole("radio", { name: /Buyer/ }));
  await waitFor(() => expect(respond).toBeDefined());
  act(() => respond({ credential: "good" }));
  await waitFor(() => expect(sent).toEqual([{ credential: "good", role: "buyer" }]));
  await waitFor(() => expect(window.localStorage.getItem("refresh_token")).toBe("r"));
});

it.each([
  ["without a credential", {}, 0],
  ["with a credential that the portal refuses", { credential: "forged" }, 1],
])("shows an error for a response %s", async (_, given, calls) => {
  enableGoogle();
  renderAt(<LoginPage />);
  await waitFor(() => expect(respond).toBeDefined());
  act(() => respond(given));
  expect(await screen.findByText("Google login failed. Please try again.")).toBeInTheDocument();
  expect(sent).toHaveLength(calls);
  expect(window.localStorage).toHaveLength(0);
});
