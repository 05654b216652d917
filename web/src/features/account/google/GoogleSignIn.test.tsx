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
/** The nonces that the page passed to Google. */
let nonces: string[];
/** How many nonces the portal has created. */
let created: number;
/** The bodies of the sign-in requests to the portal. */
let sent: unknown[];

const user = { firstName: "Malini", lastName: "Dias", role: "buyer" };

beforeEach(() => {
  [sent, nonces, created] = [[], [], 0];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    if (request.url.endsWith("/auth/google/nonce")) {
      created += 1;
      const body = JSON.stringify({ success: true, data: { nonce: `nonce ${created}` } });
      return new Response(body, { headers: { "content-type": "application/json" } });
    }
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
  const initialize = vi.fn(
    ({ nonce, callback }: { nonce: string; callback: (answer: GoogleResponse) => void }) => {
      nonces.push(nonce);
      respond = callback;
    },
  );
  window.google = { accounts: { id: { initialize, renderButton } } };
  return { renderButton };
}

it("shows no Google sign-in without a client id, and loads nothing from Google", () => {
  renderAt(<LoginPage />);
  expect(screen.queryByText("or")).not.toBeInTheDocument();
  expect(document.querySelector("script[src*='google']")).toBeNull();
});

it("gives Google a nonce of the portal, and another one after each answer", async () => {
  const { renderButton } = enableGoogle();
  renderAt(<LoginPage />);
  await waitFor(() => expect(renderButton).toHaveBeenCalledTimes(1));
  expect(nonces).toEqual(["nonce 1"]);
  act(() => respond({ credential: "forged" }));
  await waitFor(() => expect(renderButton).toHaveBeenCalledTimes(2));
  expect(nonces).toEqual(["nonce 1", "nonce 2"]);
});

it("offers another try if the portal creates no nonce", async () => {
  const { renderButton } = enableGoogle();
  vi.mocked(globalThis.fetch).mockResolvedValueOnce(new Response("{}", { status: 503 }));
  renderAt(<LoginPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(renderButton).toHaveBeenCalledTimes(1));
  expect(nonces).toEqual(["nonce 1"]);
});

it("signs in with Google's credential and the chosen account type", async () => {
  enableGoogle();
  renderAt(<RegisterPage />);
  await userEvent.click(screen.getByRole("radio", { name: /Buyer/ }));
  await waitFor(() => expect(nonces).toHaveLength(1));
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
  await waitFor(() => expect(nonces).toHaveLength(1));
  act(() => respond(given));
  expect(await screen.findByText("Google login failed. Please try again.")).toBeInTheDocument();
  expect(sent).toHaveLength(calls);
  expect(window.localStorage).toHaveLength(0);
});
