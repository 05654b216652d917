import { expect, it } from "vitest";
import { homePath, pathInsideApp } from "./paths.ts";

it.each([
  ["/supplier/dashboard", "/supplier/dashboard"],
  ["/tenders?search=a b#top", "/tenders?search=a%20b#top"],
  ["/../tenders", "/tenders"],
])("accepts %s", (target, expected) => expect(pathInsideApp(target)).toBe(expected));

it.each([
  null,
  undefined,
  7,
  "",
  "tenders",
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "javascript:alert(1)",
  "/.//evil.example",
  "/..//evil.example",
  "/%2e//evil.example",
  "/%2E%2e//evil.example/x",
  "/./\\evil.example",
  "/tenders/..//evil.example",
  "/\t/evil.example",
])("rejects %j", (target) => expect(pathInsideApp(target)).toBeNull());

it("returns the start page of each role", () => {
  expect(homePath("supplier")).toBe("/supplier/dashboard");
  expect(homePath("buyer")).toBe("/tenders");
  expect(homePath("admin")).toBe("/tenders");
});
