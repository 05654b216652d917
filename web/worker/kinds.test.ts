import { expect, it } from "vitest";
import { requestKind } from "./kinds.ts";
import { readMessage } from "./messages.ts";

const origin = "https://portal.example";
const hash = "0f".repeat(32);

function kind(path: string, { method = "GET", mode = "cors", range = false } = {}) {
  const headers = new Headers(range ? { range: "bytes=0-" } : {});
  return requestKind({ method, mode, headers, url: path.startsWith("/") ? origin + path : path }, origin);
}

it.each([
  ["/", "navigate", "page"],
  ["/tenders?page=2", "navigate", "page"],
  ["/tenders/01939999-0000-7000-8000-0000000000aa", "navigate", "page"],
  ["/developers", "navigate", "page"],
  ["/api", "navigate", null],
  ["/api/openapi.json", "navigate", null],
  ["/dev/mail", "navigate", null],
  ["/unsubscribe?token=x", "navigate", null],
  ["/payments/sandbox/x", "navigate", null],
  [`/api/clips/${hash}?until=1&signature=x`, "navigate", "clip"],
  [`/api/clips/${hash}?until=1&signature=x`, "no-cors", "clip"],
  [`/api/clips/${hash}`, "no-cors", null],
  [`/api/clips/${hash}/x?until=1`, "no-cors", null],
  ["/api/clips/../auth/me?x=1", "no-cors", null],
  ["/assets/index-abc.js", "cors", "asset"],
  ["/assets/", "cors", null],
  ["/assets/a/b.js", "cors", null],
  ["/theme.js", "no-cors", "file"],
  ["/sw.js", "same-origin", null],
  ["/index.html", "cors", null],
  ["/api/tenders", "cors", null],
  ["/api/auth/me", "cors", null],
  ["https://elsewhere.example/assets/index.js", "cors", null],
  ["https://elsewhere.example/", "navigate", null],
] as const)("classifies %s (%s) as %s", (path, mode, expected) => {
  expect(kind(path, { mode })).toBe(expected);
});

it("leaves writes and range requests to the network", () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "HEAD"]) {
    expect(kind("/assets/a.js", { method })).toBeNull();
    expect(kind("/", { method, mode: "navigate" })).toBeNull();
  }
  expect(kind("/assets/a.js", { range: true })).toBeNull();
});

it("reads known messages and nothing else", () => {
  expect(readMessage({ type: "forget", more: 1 })).toEqual({ type: "forget" });
  expect(readMessage({ type: "claim" })).toEqual({ type: "claim" });
  expect(readMessage({ type: "keep", addresses: ["/a", 7, null] })).toEqual({
    type: "keep",
    addresses: ["/a"],
  });
  for (const rubbish of [
    null,
    undefined,
    "forget",
    7,
    {},
    { type: "keep" },
    { type: "keep", addresses: "/a" },
    { type: "x" },
  ]) {
    expect(readMessage(rubbish)).toBeNull();
  }
});
