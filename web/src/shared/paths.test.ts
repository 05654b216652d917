import { expect, it } from "vitest";
import { homeOf, insideApp } from "./paths.ts";

it.each([
  ["/supplier/dashboard", "/supplier/dashboard"],
  ["/tenders?search=a b#top", "/tenders?search=a%20b#top"],
  ["/../tenders", "/tenders"],
])("goes back to %s", (target, expected) => expect(insideApp(target)).toBe(expected));

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
])("does not go to %j", (target) => expect(insideApp(target)).toBeNull());

it("begins where the role begins", () => {
  expect(homeOf("supplier")).toBe("/supplier/dashboard");
  expect(homeOf("buyer")).toBe("/tenders");
  expect(homeOf("admin")).toBe("/tenders");
});
