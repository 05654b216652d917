import { describe, expect, it } from "vitest";
import { en } from "@/i18n/en/index.ts";
import { createTranslator } from "@/i18n/translate.ts";
import { CARD_FIELDS, CLOSING_PATH, fieldState, uncertainNames, uncertainPaths } from "./fieldStates.ts";

const t = createTranslator("en", () => en);

describe("field states", () => {
  const tender = {
    fieldStates: {
      "location.district": "doubtful",
      "location.city": "doubtful",
      title: "not-read",
      [CLOSING_PATH]: "doubtful",
      "eligibility.criteria": "doubtful",
    } as const,
  };

  it("are certain unless listed otherwise", () => {
    expect(fieldState(tender, CLOSING_PATH)).toBe("doubtful");
    expect(fieldState(tender, "title")).toBe("not-read");
    expect(fieldState(tender, "referenceNo")).toBe("certain");
    expect(fieldState({}, CLOSING_PATH)).toBe("certain");
  });

  it("of a field are those of all paths below it", () => {
    expect(uncertainPaths(tender, ["location"])).toEqual(["location.district", "location.city"]);
    expect(uncertainPaths(tender, ["location.city", "title"])).toEqual(["location.city", "title"]);
    expect(uncertainPaths(tender, ["loc", "category"])).toEqual([]);
  });

  it("have names for the important uncertain fields, each once and in order", () => {
    expect(uncertainNames(tender, t)).toEqual(["closing", "title", "place"]);
    expect(uncertainNames({}, t)).toEqual([]);
    expect(uncertainNames(tender, t, CARD_FIELDS)).toEqual(["title"]);
    const body = { fieldStates: { "organization.name": "doubtful", referenceNo: "doubtful" } };
    expect(uncertainNames(body, t, CARD_FIELDS)).toEqual(["organisation"]);
    const money = { fieldStates: { category: "doubtful", "financials.bidBond.amount": "doubtful" } };
    expect(uncertainNames(money, t, CARD_FIELDS)).toEqual(["bid security"]);
  });
});
