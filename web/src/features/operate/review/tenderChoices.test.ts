import { expect, test } from "vitest";
import type { Tender } from "@/api/types.ts";
import { distinctChoices, withReference } from "./tenderChoices.ts";

test("a tender has the same reference also if it is printed with other separators", () => {
  const tender = (_id: string, referenceNo?: string) => ({ _id, title: _id, referenceNo }) as Tender;
  const found = [tender("other", "RDA/13-A"), tender("none"), tender("twin", "RDA / 12 A")];
  expect(withReference(found, "rda/12-a").map(({ _id }) => _id)).toEqual(["twin"]);
  expect(withReference(found, " / ")).toEqual([]);
});

test("each tender is offered once, and never the notice's own tender", () => {
  const choices = ["twin", "own", "", "alike", "twin"].map((id) => ({ id }));
  expect(distinctChoices(choices, "own").map(({ id }) => id)).toEqual(["twin", "alike"]);
  expect(distinctChoices(choices, null).map(({ id }) => id)).toEqual(["twin", "own", "alike"]);
});
