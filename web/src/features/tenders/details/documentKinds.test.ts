import { expect, it } from "vitest";
import { kindOfDocument } from "./documentKinds.ts";

it.each([
  ["application/pdf", "PDF"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Excel"],
  ["application/x-unknown", "application/x-unknown"],
  ["", null],
])("calls %j %j", (type, kind) => {
  expect(kindOfDocument({ type })).toBe(kind);
});
