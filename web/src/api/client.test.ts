import { beforeEach, expect, it, vi } from "vitest";
import { tokenUntil } from "@/testing/render.tsx";
import { api, call, session } from "./client.ts";
import { ApiError } from "./error.ts";
import type { SessionEvent } from "./session.ts";

const soon = Math.floor(Date.now() / 1000) + 3600;
const first = tokenUntil(soon, "first");
const second = tokenUntil(soon, "second");

/** The requests that were sent: path and name of the token. */
let sent: string[];
let events: SessionEvent[];
/** The tokens that the server accepts. */
let acceptedTokens: string[];
/** Whether the server accepts refresh tokens. */
let acceptsRefresh: boolean;

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

beforeEach(() => {
  sent = [];
  events = [];
  acceptedTokens = [second];
  acceptsRefresh = true;
  const stop = session.onEvent((event) => events.push(event));
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const path = new URL(request.url).pathname;
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? null;
    sent.push(
      `${path.replace("/api", "")} ${token === first ? "first" : token === second ? "second" : "guest"}`,
    );
    if (path === "/api/auth/refresh") {
      return acceptsRefresh
        ? json(200, { success: true, data: { token: second, refreshToken: "r2" } })
        : json(401, { success: false, message: "Refused" });
    }
    if (path === "/api/operate/review/claims") return new Response(null, { status: 204 });
    if (path === "/api/health") return new Response("<html>Bad gateway", { status: 200 });
    return token !== null && acceptedTokens.includes(token)
      ? json(200, { success: true, data: { user: { firstName: "Kumari" } } })
      : json(401, { success: false, message: "Not signed in", requestId: "r-1" });
  });
  return stop;
});

it("sends the token and returns the envelope's data", async () => {
  session.write(second, "r1");
  expect(await call(api.GET("/auth/me"))).toEqual({ user: { firstName: "Kumari" } });
  expect(sent).toEqual(["/auth/me second"]);
});

it("returns nothing for a successful response without a body", async () => {
  session.write(second, "r1");
  expect(await call(api.DELETE("/operate/review/claims"))).toBeUndefined();
});

it("renews a refused token and repeats the call", async () => {
  session.write(first, "r1");
  await call(api.GET("/auth/me"));
  expect(sent).toEqual(["/auth/me first", "/auth/refresh guest", "/auth/me second"]);
  expect(session.read()).toMatchObject({ token: second, refreshToken: "r2" });
  expect(events).toEqual([]);
});

it("repeats the call as a guest when the renewal is refused, and reports the end of the session", async () => {
  acceptsRefresh = false;
  session.write(first, "r1");
  await expect(call(api.GET("/auth/me"))).rejects.toThrow("Not signed in");
  expect(sent).toEqual(["/auth/me first", "/auth/refresh guest", "/auth/me guest"]);
  expect(session.read()).toBeNull();
  expect(events).toEqual(["token-expired"]);
});

it("reports a denied call after the end of a session, unless the call requests the current user", async () => {
  acceptsRefresh = false;
  const lapsed = tokenUntil(Math.floor(Date.now() / 1000) - 60, "over");
  session.write(lapsed, "r1");
  await expect(call(api.GET("/auth/me"))).rejects.toThrow("Not signed in");
  expect(events).toEqual(["token-expired"]);
  session.write(lapsed, "r1");
  await expect(call(api.GET("/alerts"))).rejects.toThrow("Not signed in");
  expect(events).toEqual(["token-expired", "token-expired", "unauthorized"]);
});

it("logs a failed call without its parameters, and does not log an aborted call", async () => {
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  await expect(call(api.GET("/tenders", { params: { query: { search: "private" } } }))).rejects.toThrow();
  expect(warned).toHaveBeenCalledOnce();
  expect(warned.mock.calls[0]?.[0]).toMatch(/failed: 401, Not signed in, request r-1$/);
  vi.mocked(globalThis.fetch).mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(call(api.GET("/tenders", { params: { query: { search: "private" } } }))).rejects.toThrow();
  expect(warned).toHaveBeenLastCalledWith("The call to /api/tenders failed: Failed to fetch");
  const stop = new AbortController();
  stop.abort();
  vi.mocked(globalThis.fetch).mockRejectedValue(new DOMException("Given up", "AbortError"));
  await expect(call(api.GET("/tenders", { signal: stop.signal }))).rejects.toThrow();
  expect(warned).toHaveBeenCalledTimes(2);
});

it("reports a denial when a call of a guest is refused", async () => {
  await expect(call(api.GET("/auth/me"))).rejects.toMatchObject({ status: 401, requestId: "r-1" });
  expect(events).toEqual(["unauthorized"]);
});

it("neither renews the token nor reports a denial when the sign-out is refused", async () => {
  session.write(first, "r1");
  await expect(call(api.POST("/auth/logout", { body: {} }))).rejects.toBeInstanceOf(ApiError);
  expect(sent).toEqual(["/auth/logout first"]);
  expect(events).toEqual([]);
});

it("throws when a successful response is not JSON", async () => {
  await expect(call(api.GET("/health"))).rejects.toThrow("HTTP error! status: 502");
});
