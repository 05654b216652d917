import { afterEach, expect, it } from "vitest";
import { forgetIntendedPath, intendedPath, keepIntendedPath } from "./intendedPath.ts";

const now = Date.parse("2026-11-21T09:00:00+05:30");
const hours = (count: number) => count * 3_600_000;

afterEach(() => window.localStorage.clear());

it("keeps a path for a day, until it is forgotten", () => {
  expect(intendedPath(now)).toBeNull();
  keepIntendedPath("/alert-settings?search=road&new=1", now);
  expect(intendedPath(now + hours(23))).toBe("/alert-settings?search=road&new=1");
  expect(intendedPath(now + hours(24))).toBeNull();
  forgetIntendedPath();
  expect(intendedPath(now)).toBeNull();
});

it.each(["https://evil.example/", "//evil.example", "/\\evil.example", "tenders", `/${"x".repeat(4001)}`])(
  "ignores %j",
  (path) => {
    keepIntendedPath(path, now);
    expect(intendedPath(now)).toBeNull();
  },
);

it.each(["{", "null", '"/tenders"', '{"path":"//evil.example","until":9e15}', '{"path":"/tenders"}'])(
  "ignores the stored value %j",
  (stored) => {
    window.localStorage.setItem("intended_path", stored);
    expect(intendedPath(now)).toBeNull();
  },
);
