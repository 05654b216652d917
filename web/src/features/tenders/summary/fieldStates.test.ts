import { describe, expect, it } from "vitest";
import { en } from "@/i18n/en/index.ts";
import { translator } from "@/i18n/translate.ts";
import { CLOSING, fieldState, uncertainNames } from "./fieldStates.ts";

const t = translator("en", () => en);

describe("field states", () => {
  const tender = {
    fieldStates: {
      "location.district": "doubtful",
      "location.city": "doubtful",
      title: "not-read",
      [CLOSING]: "doubtful",
      "eligibility.criteria": "doubtful",
    } as const,
  };

  it("are certain unless listed otherwise", () => {
    expect(fieldState(tender, CLOSING)).toBe("doubtful");
    expect(fieldState(tender, "title")).toBe("not-read");
    expect(fieldState(tender, "referenceNo")).toBe("certain");
    expect(fieldState({}, CLOSING)).toBe("certain");
  });

  it("are named once, the most important first", () => {
    expect(uncertainNames(tender, t)).toEqual(["closing", "title", "place"]);
    expect(uncertainNames({}, t)).toEqual([]);
  });
});
