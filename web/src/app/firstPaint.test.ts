import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { firstPaint } from "./firstPaint.ts";

/** Reports the entries to the observer. */
let report: (names: string[]) => void;

beforeEach(() => {
  vi.useFakeTimers();
  report = () => undefined;
  vi.stubGlobal(
    "PerformanceObserver",
    class {
      constructor(callback: (entries: object) => void) {
        report = (names) =>
          callback({ getEntriesByName: (name: string) => names.filter((other) => other === name) });
      }
      observe() {}
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function rootWith(html: string): Element {
  const root = document.createElement("div");
  root.innerHTML = html;
  document.body.replaceChildren(root);
  return root;
}

/** Whether the app still waits. */
function isWaiting(wait: Promise<void>): () => Promise<boolean> {
  let isOver = false;
  void wait.then(() => {
    isOver = true;
  });
  return async () => {
    await Promise.resolve();
    await Promise.resolve();
    return !isOver;
  };
}

it("waits for the paint of the prerendered page, but not for other paints", async () => {
  const waits = isWaiting(firstPaint(rootWith("<main>Tenders</main>")));
  report(["first-paint"]);
  expect(await waits()).toBe(true);
  report(["first-contentful-paint"]);
  expect(await waits()).toBe(false);
});

it("does not wait for long", async () => {
  const waits = isWaiting(firstPaint(rootWith("<main>Tenders</main>")));
  vi.advanceTimersByTime(1000);
  expect(await waits()).toBe(false);
});

it.each([
  ["nothing is prerendered", ""],
  ["the page is hidden from readers of another language", '<main style="display: none">Tenders</main>'],
])("does not wait if %s", async (_, html) => {
  expect(await isWaiting(firstPaint(rootWith(html)))()).toBe(false);
});
