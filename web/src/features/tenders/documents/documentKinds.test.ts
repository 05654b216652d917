import { expect, it } from "vitest";
import { documentKind } from "./documentKinds.ts";

it.each([
  ["application/pdf", "PDF"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Excel"],
  ["application/x-unknown", "application/x-unknown"],
  ["", null],
])("names the type %j as %j", (type, kind) => {
  expect(documentKind({ type })).toBe(kind);
});
