import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { en } from "@/i18n/en/index.ts";
import { createTranslator } from "@/i18n/translate.ts";
import { auditValues } from "./auditValues.ts";
import { doubtsInWords, fieldName, inWords } from "./fieldNames.ts";

const t = createTranslator("en", () => en);

interface Schema {
  $ref?: string;
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
}

/** The fields of a tender that no reviewer sees or edits. */
const HIDDEN =
  /^(_id|status|visibility|fullTextMarkdown|documents|sources|confidence|evidence|fieldStates|otherReadings|changes|publishedAt|needsReview)$/;

/** The paths of all values of a schema of the API. */
function pathsOf(schemas: Record<string, Schema>, schema: Schema, before = ""): string[] {
  const { $ref } = schema.oneOf?.find((one) => one.$ref) ?? schema;
  const { properties } = $ref ? (schemas[$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  if (!properties) return [before];
  return Object.entries(properties).flatMap(([name, part]) =>
    before === "" && HIDDEN.test(name) ? [] : pathsOf(schemas, part, before ? `${before}.${name}` : name),
  );
}

test("every field that a reviewer can edit has a name", () => {
  const file = path.resolve(import.meta.dirname, "../../../../api/openapi.json");
  const { schemas } = JSON.parse(readFileSync(file, "utf8")).components;
  const paths = pathsOf(schemas, schemas.Tender);
  expect(paths).toContain("organization.contactPerson.name");
  const unnamed = paths.filter((path) => t(`operate.field.${path}` as never, { defaultValue: "" }) === "");
  expect(unnamed).toEqual([]);
});

test("a name that the catalogue does not have is shown in words", () => {
  expect(inWords("activeFrom")).toBe("Active from");
  expect(fieldName("organization.seat", t)).toBe("Organization seat");
});

test("the doubts about a notice name its fields", () => {
  expect(doubtsInWords("may not be a tender notice, referenceNo doubtful, dates.closing missing", t)).toBe(
    "may not be a tender notice, Reference is doubtful, Closing was not read",
  );
});

test("the audit log shows nested values, lists, times and answers in words", () => {
  const thing = { kind: "organization", type: null };
  expect(auditValues({ name: "RDA", spellings: [], thing, state: "confirmed" }, t)).toEqual([
    "Name: RDA",
    "Other spellings: nothing",
    "What has this name: (Kind: organization)",
    "State: confirmed",
  ]);
  expect(
    auditValues(
      { "dates.closing": "2026-12-27T14:00:00+05:30", printsOnPoya: false, weekdays: ["mon", "tue"] },
      t,
    ),
  ).toEqual(["Closing: Sun 27 Dec 2026, 2.00 p.m.", "Appears on Poya days: no", "Weekdays: mon, tue"]);
});

test("a side of an entry that only says what is not there is left out", () => {
  expect(auditValues({ reason: null }, t)).toEqual([]);
  expect(auditValues({ decision: "accept", "dates.closing": null }, t)).toEqual([
    "Decision: accept",
    "Closing: nothing",
  ]);
});
