import { expect, it } from "vitest";
import { homePath, pathInsideApp } from "./paths.ts";

it.each([
  ["/supplier/dashboard", "/supplier/dashboard"],
  ["/tenders?search=a b#top", "/tenders?search=a%20b#top"],
  ["/../tenders", "/tenders"],
])("goes back to %s", (target, expected) => expect(pathInsideApp(target)).toBe(expected));

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
])("does not go to %j", (target) => expect(pathInsideApp(target)).toBeNull());

it("begins where the role begins", () => {
  expect(homePath("supplier")).toBe("/supplier/dashboard");
  expect(homePath("buyer")).toBe("/tenders");
  expect(homePath("admin")).toBe("/tenders");
});
