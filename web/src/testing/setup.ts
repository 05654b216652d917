// What every test starts from: the catalogue, the matchers, a page and a storage without leftovers.

import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";
import { loadPages } from "@/i18n/i18n.ts";

await loadPages();

// Node's `fetch` wants whole addresses.
document.head.innerHTML =
  '<script type="application/json" id="settings">{"apiBase":"http://portal.test/api"}</script>';

afterEach(() => {
  cleanup();
  window.localStorage.clear();
  // biome-ignore lint/suspicious/noDocumentCookie: as the session sets it
  document.cookie = "browser_open=; Path=/; Max-Age=0";
});

// jsdom lays nothing out, so nothing ever changes its size.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
