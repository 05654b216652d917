import { beforeEach, describe, expect, it, vi } from "vitest";
import { tokenUntil } from "@/testing/render.tsx";
import { type SessionEvent, SessionStore } from "./session.ts";
import { type Exchange, oneTabAtATime, TokenRenewal } from "./tokenRenewal.ts";

const NOW = 1_000_000;
const HOUR = 3600;
const fresh = tokenUntil(NOW + HOUR, "fresh");
const next = tokenUntil(NOW + 2 * HOUR, "next");
const almostOver = tokenUntil(NOW + 60, "almost over");
const over = tokenUntil(NOW - 60, "over");

let store: SessionStore;
let events: SessionEvent[];

beforeEach(() => {
  store = new SessionStore(window.localStorage);
  events = [];
  store.onEvent((event) => events.push(event));
});

function renewalWith(exchange: Exchange): TokenRenewal {
  return new TokenRenewal(store, exchange, oneTabAtATime(undefined), () => NOW * 1000);
}

const grants: Exchange = () => Promise.resolve({ token: next, refreshToken: "second" });
const refuses: Exchange = () => Promise.resolve(null);
const unreachable: Exchange = () => Promise.reject(new TypeError("Failed to fetch"));

describe("freshToken", () => {
  it("is null for a guest and announces nothing", async () => {
    expect(await renewalWith(refuses).freshToken()).toBeNull();
    expect(events).toEqual([]);
  });

  it("returns a valid token without a request", async () => {
    const exchange = vi.fn(grants);
    store.write(fresh, "first");
    expect(await renewalWith(exchange).freshToken()).toBe(fresh);
    expect(exchange).not.toHaveBeenCalled();
  });

  it("renews a token that expires within the margin, and stores the new tokens", async () => {
    store.write(almostOver, "first");
    expect(await renewalWith(grants).freshToken()).toBe(next);
    expect(store.read()).toMatchObject({ token: next, refreshToken: "second" });
  });

  it("sends one request for simultaneous calls", async () => {
    const exchange = vi.fn(grants);
    store.write(over, "first");
    const renewal = renewalWith(exchange);
    const tokens = await Promise.all([renewal.freshToken(), renewal.freshToken(), renewal.freshToken()]);
    expect(tokens).toEqual([next, next, next]);
    expect(exchange).toHaveBeenCalledOnce();
    expect(exchange).toHaveBeenCalledWith("first");
  });

  it("returns the token that another tab stored in the meantime", async () => {
    const exchange = vi.fn(grants);
    store.write(over, "first");
    const renewal = new TokenRenewal(
      store,
      exchange,
      (task) => {
        store.write(next, "from the other tab");
        return task();
      },
      () => NOW * 1000,
    );
    expect(await renewal.freshToken()).toBe(next);
    expect(exchange).not.toHaveBeenCalled();
  });

  it("ends the session when the renewal is refused", async () => {
    store.write(almostOver, "first");
    expect(await renewalWith(refuses).freshToken()).toBeNull();
    expect(store.read()).toBeNull();
    expect(events).toEqual(["token-expired"]);
  });

  it("ends an expired session without a refresh token", async () => {
    store.write(over);
    expect(await renewalWith(grants).freshToken()).toBeNull();
    expect(store.read()).toBeNull();
    expect(events).toEqual(["token-expired"]);
  });

  it("keeps the session when the server is unreachable", async () => {
    store.write(almostOver, "first");
    expect(await renewalWith(unreachable).freshToken()).toBe(almostOver);
    store.write(over, "first");
    await expect(renewalWith(unreachable).freshToken()).rejects.toThrow("Failed to fetch");
    expect(store.read()).toMatchObject({ token: over, refreshToken: "first" });
    expect(events).toEqual([]);
  });
});

describe("replaceRefused", () => {
  it("renews the refused token even if it is not expired", async () => {
    store.write(fresh, "first");
    const renewal = renewalWith(grants);
    expect(await renewal.replaceRefused(fresh)).toBe(next);
  });

  it("returns the stored token if it differs from the refused one", async () => {
    const exchange = vi.fn(grants);
    store.write(next, "second");
    expect(await renewalWith(exchange).replaceRefused(fresh)).toBe(next);
    expect(exchange).not.toHaveBeenCalled();
  });
});

describe("oneTabAtATime", () => {
  it("runs the next task after a failed one", async () => {
    const exclusively = oneTabAtATime(undefined);
    const failed = exclusively(() => Promise.reject(new Error("first")));
    const done = exclusively(() => Promise.resolve("second"));
    await expect(failed).rejects.toThrow("first");
    await expect(done).resolves.toBe("second");
  });
});
