// @vitest-environment-options { "url": "https://portal.test/" }

// The cookie of an unremembered session on a page with TLS.

import { expect, it } from "vitest";
import { tokenUntil } from "@/testing/render.tsx";
import { SessionStore } from "./session.ts";

it("sets a cookie that only this host can set, and accepts the name of earlier versions", () => {
  const store = new SessionStore(window.localStorage);
  store.open(tokenUntil(4_000_000_000), "r", false);
  expect(document.cookie).toBe("__Host-browser_open=1");
  // biome-ignore lint/suspicious/noDocumentCookie: an earlier version of the app has set it in this way
  document.cookie = "browser_open=1; Path=/; Secure";
  store.clear();
  expect(document.cookie).toBe("");

  store.open(tokenUntil(4_000_000_000), "r", false);
  for (const cookie of ["__Host-browser_open=; Max-Age=0", "browser_open=1"]) {
    // biome-ignore lint/suspicious/noDocumentCookie: as above
    document.cookie = `${cookie}; Path=/; Secure`;
  }
  expect(new SessionStore(window.localStorage).read()?.refreshToken).toBe("r");
});
