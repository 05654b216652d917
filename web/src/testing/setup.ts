// The setup of every unit test: texts, matchers, settings, and a clean page.

import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";
import { loadPageTexts } from "@/i18n/i18n.ts";

await loadPageTexts();

// Node's `fetch` needs absolute addresses.
document.head.innerHTML =
  '<script type="application/json" id="settings">{"apiBase":"http://portal.test/api"}</script>';

afterEach(() => {
  cleanup();
  window.localStorage.clear();
  // biome-ignore lint/suspicious/noDocumentCookie: the app sets the cookie in this way
  document.cookie = "browser_open=; Path=/; Max-Age=0";
});

// jsdom has no layout, so sizes never change.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
