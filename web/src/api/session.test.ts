import { describe, expect, it, vi } from "vitest";
import { tokenUntil } from "@/testing/render.tsx";
import { EXPIRY_MARGIN, isExpired, readExpiry, type SessionEvent, SessionStore } from "./session.ts";

describe("readExpiry", () => {
  it("returns the expiry claim", () => {
    expect(readExpiry(tokenUntil(1_800_000_000, "ශ්‍රී"))).toBe(1_800_000_000);
  });

  it.each([
    "",
    "a.b",
    "a.!!!.c",
    `a.${btoa("{}")}.c`,
    `a.${btoa('{"exp":"soon"}')}.c`,
    `a.${btoa("null")}.c`,
  ])("returns null for %j", (token) => expect(readExpiry(token)).toBeNull());
});

/** Deletes the session cookie, as the browser does when it closes. */
function closeBrowser(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no `cookieStore`
  document.cookie = "browser_open=; Path=/; Max-Age=0";
}

describe("SessionStore", () => {
  it("stores token, refresh token and expiry in local storage", () => {
    const store = new SessionStore(window.localStorage);
    const token = tokenUntil(2000);
    store.write(token, "refresh");
    expect({ ...window.localStorage }).toEqual({
      auth_token: token,
      refresh_token: "refresh",
      token_expiry: "2000",
    });
    expect(store.read()).toEqual({ token, refreshToken: "refresh", expiresAt: 2000 });
  });

  it("clears all three values and notifies its listeners", () => {
    const store = new SessionStore(window.localStorage);
    store.write(tokenUntil(2000), "refresh");
    const changed = vi.fn();
    store.subscribe(changed);
    store.clear();
    expect(window.localStorage).toHaveLength(0);
    expect(store.read()).toBeNull();
    expect(changed).toHaveBeenCalledOnce();
  });

  it("drops the refresh token of the previous session", () => {
    const store = new SessionStore(window.localStorage);
    store.write(tokenUntil(2000), "first");
    store.write(tokenUntil(3000));
    expect(store.read()?.refreshToken).toBeNull();
  });

  it("rejects a token without an expiry", () => {
    const store = new SessionStore(window.localStorage);
    expect(() => store.write("rubbish")).toThrow("without an expiry");
    expect(store.read()).toBeNull();
  });

  it.each(["", "soon", "-5", "Infinity"])("reads an expiry of %j as no session", (expiry) => {
    window.localStorage.setItem("auth_token", "token");
    window.localStorage.setItem("token_expiry", expiry);
    expect(new SessionStore(window.localStorage).read()).toBeNull();
  });

  it("shares an unremembered session with all tabs until the browser is closed", () => {
    const store = new SessionStore(window.localStorage);
    store.open(tokenUntil(2000), "first", false);
    expect(document.cookie).toBe("browser_open=1");
    store.write(tokenUntil(3000), "second");
    // A new store stands for another tab, or for a reload of the page.
    expect(new SessionStore(window.localStorage).read()?.refreshToken).toBe("second");
    closeBrowser();
    expect(new SessionStore(window.localStorage).read()).toBeNull();
    expect(window.localStorage).toHaveLength(0);
  });

  it("keeps a remembered session after the browser is closed", () => {
    const store = new SessionStore(window.localStorage);
    store.open(tokenUntil(2000), "first", false);
    store.open(tokenUntil(2000), "second", true);
    expect(document.cookie).toBe("");
    closeBrowser();
    expect(new SessionStore(window.localStorage).read()?.refreshToken).toBe("second");
  });

  it("removes all values and the cookie of an unremembered session", () => {
    const store = new SessionStore(window.localStorage);
    store.open(tokenUntil(2000), "first", false);
    store.clear();
    expect(window.localStorage).toHaveLength(0);
    expect(document.cookie).toBe("");
  });

  it("notifies a listener of changes in other tabs until the listener unsubscribes", () => {
    const store = new SessionStore(window.localStorage);
    const changed = vi.fn();
    const stop = store.subscribe(changed);
    window.dispatchEvent(new StorageEvent("storage", { key: "auth_token" }));
    window.dispatchEvent(new StorageEvent("storage", { key: "unrelated" }));
    expect(changed).toHaveBeenCalledOnce();
    stop();
    window.dispatchEvent(new StorageEvent("storage", { key: "auth_token" }));
    expect(changed).toHaveBeenCalledOnce();
  });

  it("announces events to a listener until the listener unsubscribes", () => {
    const store = new SessionStore(window.localStorage);
    const heard: SessionEvent[] = [];
    const stop = store.onEvent((event) => heard.push(event));
    store.announce("token-expired");
    stop();
    store.announce("unauthorized");
    expect(heard).toEqual(["token-expired"]);
  });
});

it("treats a session as expired five minutes early", () => {
  const session = { token: "t", refreshToken: null, expiresAt: 10_000 };
  expect(isExpired(session, (10_000 - EXPIRY_MARGIN) * 1000 - 1)).toBe(false);
  expect(isExpired(session, (10_000 - EXPIRY_MARGIN) * 1000)).toBe(true);
});
